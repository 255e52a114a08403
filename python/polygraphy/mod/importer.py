"""Modules that are imported when something in them is first needed.

`lazy_import` stands in for `import` wherever a module is large or may be missing. The requested
version is checked against the installed one, and can be installed on demand (see
`polygraphy.config`).
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from typing import Any, List, Optional

from polygraphy import config, constants
from polygraphy.logger import G_LOGGER, LogMode
from polygraphy.mod.util import version as _version

# Every module outside of Polygraphy that something imports lazily.
_all_external_lazy_imports: set = set()

# Module -> name of the package that brings it, where the two differ.
_PKG_NAME_FROM_MODULE: dict = {}

# Module -> further arguments of the installation command.
_EXTRA_FLAGS_FOR_MODULE: dict = {}

LATEST_VERSION = "==latest"
"""str: Instead of a version: prefer the newest one there is"""

_COMPARISONS = {
    ">=": lambda have, want: have >= want,
    "<=": lambda have, want: have <= want,
    "==": lambda have, want: have == want,
    "!=": lambda have, want: have != want,
    ">": lambda have, want: have > want,
    "<": lambda have, want: have < want,
}


def _split_requirement(requirement: str) -> tuple:
    """`"onnx>=1.8"` -> `("onnx", ">=1.8")`; without a version `("onnx", None)`."""
    at = min((requirement.find(c) for c in "<>=!" if c in requirement), default=len(requirement))
    return requirement[:at].strip(), requirement[at:].strip() or None


def _version_ok(ver: str, preferred: str) -> bool:
    """Whether a version satisfies a requirement such as `">=1.2"`."""
    if preferred == LATEST_VERSION:
        return False
    for sign, satisfied in _COMPARISONS.items():
        if preferred.startswith(sign):
            return satisfied(_version(ver), _version(preferred[len(sign) :].strip()))
    raise ValueError(f"Not a version requirement: '{preferred}' (for example: '>=1.2')")


class _Request:
    """The import of a stand-in, and its installation; see lazy_import."""

    def __init__(self, requirement: str, log: bool, pkg_name, install_flags, requires):
        self.name, self.version = _split_requirement(requirement)
        root = self.name.split(".")[0]
        if root != "polygraphy":
            _all_external_lazy_imports.add(self.name)
        self.log = log
        self.pkg_name = pkg_name or _PKG_NAME_FROM_MODULE.get(root, root)
        if install_flags is None:
            install_flags = _EXTRA_FLAGS_FOR_MODULE.get(root, [])
        self.install_flags = install_flags
        self.requires = requires or []

    def module(self):
        """The module; those that it requires are imported before."""
        for requirement in self.requires:
            self._import_required(*_split_requirement(requirement))
        module = self._import_required(self.name, self.version)
        if self.log:
            G_LOGGER.module_info(module)
        return module

    def _import_required(self, module_name: str, wanted: Optional[str]):
        """The module in a version that is wanted, if that can be had."""
        try:
            module = importlib.import_module(module_name)
        except ImportError as err:
            return self._import_missing(module_name, wanted, err)

        installed = getattr(module, "__version__", None)
        if wanted is None or installed is None or _version_ok(installed, wanted):
            return module
        if config.AUTOINSTALL_DEPS:
            G_LOGGER.info(
                f"Note: Module: '{module_name}' version '{installed}' is installed, but version "
                f"'{wanted}' is required.\nAttempting to upgrade now."
            )
            if self._install(wanted, upgrade=True):
                # Only the module itself is made again: others hold references to its submodules.
                sys.modules.pop(module_name, None)
                module = importlib.import_module(module_name)
                installed = getattr(module, "__version__", installed)
        if self.log and wanted != LATEST_VERSION and not _version_ok(installed, wanted):
            G_LOGGER.error(
                f"Module: '{module_name}' version '{installed}' is installed, but version "
                f"'{wanted}' is required.\n"
                "Please install the required version or set POLYGRAPHY_AUTOINSTALL_DEPS=1 in "
                "your environment variables to allow Polygraphy to do so automatically.\n"
                "Attempting to continue with the currently installed version of this module, "
                "but note that this may cause errors!",
                mode=LogMode.ONCE,
            )
        return module

    def _import_missing(self, module_name: str, wanted: Optional[str], err: ImportError):
        """The module after its installation, if that is switched on and works."""
        if config.AUTOINSTALL_DEPS:
            G_LOGGER.info(
                f"Module: '{module_name}' is required, but not installed. "
                "Attempting to install now."
            )
            self._install(wanted, upgrade=False)
            try:
                return importlib.import_module(module_name)
            except ImportError as after_install:
                err = after_install
        G_LOGGER.critical(
            f"Module: '{self.name}' is required but could not be imported.\n"
            f"Note: Error was: {err}\n"
            "You can set POLYGRAPHY_AUTOINSTALL_DEPS=1 in your environment variables to "
            "allow Polygraphy to automatically install missing modules.\n"
        )

    def _install(self, wanted: Optional[str], upgrade: bool) -> bool:
        """Runs the installation command; False if the user or the command refuses."""
        import subprocess

        package = self.pkg_name + (wanted if wanted and wanted != LATEST_VERSION else "")

        def fail() -> bool:
            log_func = G_LOGGER.warning if upgrade else G_LOGGER.critical
            log_func(
                f"Could not automatically install required module: {package}. "
                "Please install it manually."
            )
            return False

        if config.ASK_BEFORE_INSTALL:
            question = f"Automatically install '{package}' (version: {wanted or 'any'}) ([Y]/n)? "
            if input(question).strip().lower() not in ("", "y", "yes"):
                return fail()

        cmd = config.INSTALL_CMD + [package] + self.install_flags
        if wanted == LATEST_VERSION:
            cmd.append("--upgrade")
        G_LOGGER.info(f"Running installation command: {' '.join(cmd)}")
        status = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if status.returncode != 0:
            G_LOGGER.error(f"Error during installation:\n{constants.TAB}{status.stderr.decode()}")
            return fail()
        importlib.invalidate_caches()
        return True


class _LazyModule:
    """Stands in for a module until one of its attributes is used.

    Derived classes have the request, so that instances have no attribute but `module`.
    """

    __request: _Request

    def __init__(self):
        super().__setattr__("module", None)

    def __polygraphy_import_mod(self):
        if self.module is None:
            super().__setattr__("module", self.__request.module())
        return self.module

    def __getattr__(self, attribute):
        return getattr(self.__polygraphy_import_mod(), attribute)

    def __setattr__(self, attribute, value):
        return setattr(self.__polygraphy_import_mod(), attribute, value)

    def is_installed(self) -> bool:
        """Whether the module can be found. It is not imported."""
        name = self.__request.name
        if self.module is not None or name in sys.modules:
            return sys.modules.get(name, self.module) is not None
        try:
            return importlib.util.find_spec(name) is not None
        except (ImportError, ValueError):
            return False

    def is_importable(self) -> bool:
        """Whether importing the module works. Nothing is installed for this."""
        try:
            importlib.import_module(self.__request.name)
            return True
        except Exception:
            # Broken modules raise all sorts of things, not only ImportError.
            return False


def lazy_import(
    name: str,
    log: Optional[bool] = None,
    pkg_name: Optional[str] = None,
    install_flags: Optional[List[str]] = None,
    requires: Optional[List[str]] = None,
) -> Any:
    """A stand-in for a module, which imports it at the first access to one of its attributes.

    Args:
        name: The module, with an optional version, for example `"onnx>=1.8"` or
            `"onnx==latest"`.
        log: Whether to log versions and complain about wrong ones. True if left out.
        pkg_name: The package that brings the module, if its name differs.
        install_flags: Further arguments of the installation command.
        requires: Modules, with optional versions, that must be there before this one is imported.

    Returns:
        The stand-in. Attributes are read from and written to the module itself. Besides, it has
        `is_installed()` (whether the module can be found, not imported) and `is_importable()`.
    """
    log = True if log is None else log

    class LazyModule(_LazyModule):
        __request = _Request(name, log, pkg_name, install_flags, requires)

    return LazyModule()


def has_mod(modname: str) -> bool:
    """Whether a module can be found, without importing it (a name that Polygraphy 0.49 had)."""
    return lazy_import(modname).is_installed()


def autoinstall(lazy_mod: Any) -> None:
    """Installs or upgrades the module behind a lazy import now, if that is switched on at all.

    Args:
        lazy_mod: The result of `lazy_import`.
    """
    if not config.AUTOINSTALL_DEPS:
        return
    try:
        lazy_mod.__fake_polygraphy_autoinstall_attr
    except Exception:
        # A module without that attribute is there; one that cannot be had has been reported.
        pass


def import_from_script(path: str, name: str) -> Any:
    """A symbol of a Python file.

    The file is run again each time, under the name of the file, and leaves no trace in
    `sys.modules`. Its folder is on `sys.path` meanwhile.

    Args:
        path: The Python file.
        name: The symbol.

    Raises:
        PolygraphyException: If the file cannot be imported or has no such symbol.
    """
    folder = os.path.realpath(os.path.dirname(path))
    stem, extension = os.path.splitext(os.path.basename(path))

    path_before = list(sys.path)
    module_before = sys.modules.pop(stem, None)
    sys.path.insert(0, folder)
    try:
        importlib.invalidate_caches()
        return getattr(importlib.import_module(stem), name)
    except Exception as err:
        message = f"Could not import symbol: {name} from script: {path}"
        if extension != ".py":
            message += (
                "\nThis could be because the extension of the file is not '.py'. "
                f"Note: The extension is: {extension}"
            )
        message += f"\nNote: Error was: {err}"
        G_LOGGER.critical(message)
    finally:
        sys.path[:] = path_before
        sys.modules.pop(stem, None)
        if module_before is not None:
            sys.modules[stem] = module_before
