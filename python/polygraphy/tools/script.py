"""Python scripts that use the Polygraphy API, put together piece by piece.

Argument groups turn command lines into such scripts. A script is printed for the user
(`run --gen-script`), or run at once to make what it describes (`polygraphy.tools.args.util`).

User input must never become code: text goes into a script as a literal, unless it was
marked as code by `safe` and `inline`.
"""

from __future__ import annotations

import sys
from collections import OrderedDict, defaultdict
from typing import List, Optional, Sequence, Tuple, Union

import polygraphy
from polygraphy import config, constants, mod, util
from polygraphy.logger import G_LOGGER
from polygraphy.mod.trt_importer import tensorrt_module_and_version_string


@mod.export()
def safe(base_str: str, *args, **kwargs) -> "Script.String":
    """Code with values in it.

    Args:
        base_str: The code, with fields like those of `str.format`. It must not come from a user.
        args: Values for the fields, as Python literals; inline strings as they are.
        kwargs: The same for named fields.
    """
    args = [util.util.apply_repr(arg) for arg in args]
    kwargs = {key: util.util.apply_repr(value) for key, value in kwargs.items()}
    return Script.String(base_str.format(*args, **kwargs), safe=True)


@mod.export()
def inline(inp: "Script.String") -> "Script.String":
    """Marks code so that it is written without quotes where it is an argument of something else.

    Args:
        inp: The code.
    """
    inp = ensure_safe(inp)
    inp.inline = True
    return inp


def ensure_safe(inp: "Script.String") -> "Script.String":
    """The same text; with correctness checks, fails unless it was marked as safe."""
    if not config.INTERNAL_CORRECTNESS_CHECKS:
        return inp
    if not isinstance(inp, Script.String):
        problem = f"Input to ensure_safe must be of type Script.String, but was: {inp}"
    elif inp.safe:
        return inp
    else:
        problem = (
            f"Input string: {inp} was not checked for safety. This is a potential security risk!"
        )
    G_LOGGER.internal_error(problem)
    return inp


def inline_identifier(ident: str) -> "Script.String":
    """A name as code.

    Args:
        ident: The name.

    Raises:
        PolygraphyException: If it is not a name.
    """
    if not ident.isidentifier():
        G_LOGGER.critical(
            "This argument must be a valid identifier. Provided argument cannot be a Python "
            f"identifier: {ident}"
        )
    return inline(safe(ident))


def _check_syntax(type_str: str, code: str) -> None:
    import ast

    try:
        ast.parse(code)
    except SyntaxError:
        G_LOGGER.internal_error(
            f"Could not generate valid Python for: {type_str}.\nNote: Generated code was:\n{code}\n"
            "This usually means one of the arguments is an object whose `repr` is not valid "
            "Python. Pass such arguments as inline strings instead, e.g. with "
            "`inline_identifier`."
        )


def make_invocable_impl(type_str: str, *args, **kwargs) -> Tuple["Script.String", bool, bool]:
    """Code of a call.

    Args:
        type_str: The name of what is called. It must not come from a user.
        args: Positional arguments, as literals unless they are inline strings.
        kwargs: Named arguments; those that are None are left out.

    Returns:
        The code; whether all positional arguments are None; whether all named ones are.
    """
    code, args_are_default, kwargs_are_default = util.make_repr(type_str, *args, **kwargs)
    if config.INTERNAL_CORRECTNESS_CHECKS:
        _check_syntax(type_str, code)
    return Script.String(code, safe=True, inline=True), args_are_default, kwargs_are_default


@mod.export()
def make_invocable(type_str: str, *args, **kwargs) -> "Script.String":
    """Code of a call, see `make_invocable_impl`.

    Args:
        type_str: The name of the class or function.
        args: The arguments without names.
        kwargs: Those with names; None leaves one out.
    """
    return make_invocable_impl(type_str, *args, **kwargs)[0]


@mod.export()
def make_invocable_if_nondefault(type_str: str, *args, **kwargs) -> Optional["Script.String"]:
    """Code of a call, or None if all of its arguments are None."""
    code, args_are_default, kwargs_are_default = make_invocable_impl(type_str, *args, **kwargs)
    return None if args_are_default and kwargs_are_default else code


@mod.export()
def make_invocable_if_nondefault_kwargs(
    type_str: str, *args, **kwargs
) -> Optional["Script.String"]:
    """Code of a call, or None if all of its named arguments are None."""
    code, _, kwargs_are_default = make_invocable_impl(type_str, *args, **kwargs)
    return None if kwargs_are_default else code


def _import_line(module: str, imp_as: Optional[str]) -> str:
    if module.startswith("polygraphy"):
        return f"import {module} as {imp_as}" if imp_as else f"import {module}"
    return f"{imp_as or module} = mod.lazy_import({module!r})"


@mod.export()
class Script:
    """A Python script that uses the Polygraphy API.

    It has, in this order: a head that says how it came about, lines before the imports, imports, a
    data loader, variables by category, a list of runners, and further lines.

    Args:
        summary: The purpose of the script, for a comment at its head.
        always_create_runners: Whether the list of runners is there even if it is empty.
    """

    class String:
        """Text that is known to be code, or not to be.

        Args:
            s: The text.
            safe: Whether it is code that is free of anything that a user wrote.
            inline: Whether it stands for itself, not for a literal, in other code.
        """

        def __init__(self, s: str, safe: bool = False, inline: bool = False):
            self.s = s
            self.safe = safe
            self.inline = inline

        def __str__(self) -> str:
            return str(self.s)

        def __repr__(self) -> str:
            # Makes inline strings code: calls are put together from the `repr` of arguments.
            return str(self.s) if self.inline else repr(self.s)

        def __eq__(self, other) -> bool:
            return isinstance(other, Script.String) and vars(self) == vars(other)

        def __hash__(self) -> int:
            return hash((self.s, self.safe, self.inline))

        def __iadd__(self, other: "Script.String") -> "Script.String":
            problem = None
            if not isinstance(other, Script.String):
                problem = f"Cannot concatenate str and Script.String. Note: str was: {other}"
            elif self.safe != other.safe:
                problem = f"Cannot concatenate unsafe string ({other}) to safe string ({self.s})!"
            if problem and config.INTERNAL_CORRECTNESS_CHECKS:
                G_LOGGER.internal_error(problem)
            self.s = self.s + other.s
            return self

        def unwrap(self) -> str:
            """The text."""
            return self.s

    DATA_LOADER_NAME = String("data_loader", safe=True, inline=True)
    """Script.String: The variable with the data loader"""

    def __init__(self, summary: Optional[str] = None, always_create_runners: bool = True):
        self.imports: dict = {}  # module, or None for modules as such -> {(name, other name)}
        self.vars: OrderedDict = OrderedDict()  # code -> (its latest variable, category)
        self._assignments: List[tuple] = []  # (variable, code, category) of all variables
        self.var_count: defaultdict = defaultdict(int)
        self.runners: List[str] = []
        self.preimport: List[str] = []
        self.suffix: List[str] = []
        self.data_loader = ""
        self.summary = summary
        self.always_create_runners = always_create_runners

    def add_import(
        self,
        imports: Union[str, Sequence[str]],
        frm: Optional[str] = None,
        imp_as: Optional[str] = None,
    ) -> None:
        """Imports names from a module, or modules; those that are not Polygraphy's are imported
        when they are first used.

        Args:
            imports: One name, or several.
            frm: The module that has them. If left out, they are modules.
            imp_as: The name in the script.
        """
        names = [imports] if isinstance(imports, str) else imports
        self.imports.setdefault(frm, set()).update((name, imp_as) for name in names)

    def import_trt(self) -> None:
        """Imports TensorRT, or TensorRT-RTX, as `trt`."""
        self.add_import(tensorrt_module_and_version_string(), imp_as="trt")

    def set_data_loader(self, data_loader_str: "Script.String") -> Optional["Script.String"]:
        """Sets the data loader, in place of the one that was there.

        Args:
            data_loader_str: The code that makes it.

        Returns:
            Its variable; None, without any effect, if there is no code.
        """
        if not data_loader_str:
            return None
        self.data_loader = ensure_safe(data_loader_str).unwrap()
        return Script.DATA_LOADER_NAME

    def add_loader(
        self, loader_str: "Script.String", loader_id: str, force: Optional[bool] = None
    ) -> "Script.String":
        """`add_var` for a loader.

        Args:
            loader_str: The code that makes it.
            loader_id: The name of its variable; a number follows if it is taken.
            force: Whether equal code gets a new variable.
        """
        return self.add_var(loader_str, loader_id, category="Loaders", force=force)

    def add_backend_loader(
        self, backend: str, cls: str, loader_id: str, /, *args, **kwargs
    ) -> "Script.String":
        """Adds a loader of `polygraphy.backend`, and its import.

        Args:
            backend: The module of its class there.
            cls: The class.
            loader_id: The name of its variable; a number follows if it is taken.
            args: Arguments of the class.
            kwargs: The same by name; None leaves one out.

        Returns:
            Its variable.
        """
        self.add_import([cls], frm=f"polygraphy.backend.{backend}")
        return self.add_loader(make_invocable(cls, *args, **kwargs), loader_id)

    def add_change(
        self, backend: str, cls: str, loader_id: str, obj, /, **kwargs
    ) -> "Script.String":
        """`add_backend_loader` for a loader that works on another one, `obj`; the other one itself
        if all named arguments are None."""
        if all(value is None for value in kwargs.values()):
            return obj
        return self.add_backend_loader(backend, cls, loader_id, obj, **kwargs)

    def invoke_from_script(self, path: str, name: str) -> "Script.String":
        """Code that calls a function of a Python file."""
        self.add_import(["InvokeFromScript"], frm="polygraphy.backend.common")
        return make_invocable("InvokeFromScript", path, name=name)

    def add_var(
        self,
        var_str: "Script.String",
        var_id: str,
        category: str = "Variables",
        force: Optional[bool] = None,
    ) -> "Script.String":
        """Assigns to a new variable, unless there is one with the same value.

        Args:
            var_str: The value, as code.
            var_id: The name of the variable; a number is appended if the name is taken.
            category: The heading that it stands under.
            force: Whether to make a new variable in any case. No if left out.

        Returns:
            The variable.
        """
        code = ensure_safe(var_str).unwrap()
        if code in self.vars and not force:
            return self.vars[code][0]
        name = inline(Script.String(self._new_name(str(var_id)), safe=True))
        self.vars[code] = (name, category)
        self._assignments.append((name.unwrap(), code, category))
        return name

    def _new_name(self, var_id: str) -> str:
        taken = {name for name, _, _ in self._assignments}
        while True:
            count = self.var_count[var_id]
            self.var_count[var_id] += 1
            name = f"{var_id}_{count}" if count else var_id
            if name not in taken:
                return name

    def add_runner(self, runner_str: "Script.String") -> None:
        """Appends to the list of runners.

        Args:
            runner_str: The code that makes the runner.
        """
        self.runners.append(ensure_safe(runner_str).unwrap())

    def get_runners(self) -> "Script.String":
        """The variable with the list of runners."""
        return inline(safe("runners"))

    def append_preimport(self, line: "Script.String") -> None:
        """Appends a line to those before the imports.

        Args:
            line: The line.
        """
        self.preimport.append(ensure_safe(line).unwrap())

    def append_suffix(self, line: "Script.String") -> None:
        """Appends a line to the end.

        Args:
            line: The line.
        """
        self.suffix.append(ensure_safe(line).unwrap())

    def _header(self) -> str:
        import time

        lines = [
            "#!/usr/bin/env python3",
            f"# Template auto-generated by polygraphy [v{polygraphy.__version__}] on "
            + time.strftime("%D at %H:%M:%S"),
            # A line break in an argument must not end the comment.
            "# Generation Command: " + " ".join(" ".join(sys.argv).splitlines()),
        ]
        lines += [f"# {line}" for line in (self.summary or "").splitlines()]
        return "\n".join(lines) + "\n"

    def _import_lines(self) -> str:
        lines = []
        for module, names in self.imports.items():
            in_order = sorted(names, key=lambda pair: (pair[0], pair[1] or ""))
            if module is None:
                lines += [_import_line(*pair) for pair in in_order]
            else:
                texts = [f"{name} as {imp_as}" if imp_as else name for name, imp_as in in_order]
                lines.append(f"from {module} import {', '.join(texts)}")
        lines.sort()
        if any("mod.lazy_import(" in line for line in lines):
            lines.insert(0, "from polygraphy import mod")
        return "".join(line + "\n" for line in lines)

    def _sections(self) -> str:
        sections: dict = {}
        if self.data_loader:
            sections["Data Loader"] = [f"data_loader = {self.data_loader}"]
        for name, code, category in self._assignments:
            sections.setdefault(category, []).append(f"{name} = {code}")
        if self.runners:
            runners = [f"{constants.TAB}{runner}," for runner in self.runners]
            sections["Runners"] = ["runners = [", *runners, "]"]
        elif self.always_create_runners:
            sections["Runners"] = ["runners = []"]
        return "".join(
            f"\n# {title}\n" + "".join(line + "\n" for line in lines)
            for title, lines in sections.items()
        )

    def __str__(self) -> str:
        body = self._import_lines() + self._sections()
        script = self._header()
        if self.preimport:
            preimport = "\n".join(self.preimport) + "\n"
            script += "" if preimport.startswith("\n") else "\n"
            script += preimport
            script += "" if preimport.endswith("\n\n") else "\n"
        script += body
        # Further lines follow the list of runners, and stand apart from anything else.
        has_runners = bool(self.runners or self.always_create_runners)
        if not body or (self.suffix and not has_runners):
            script += "\n"
        if self.suffix or has_runners or not body:
            script += "\n".join(self.suffix) + "\n"
        else:
            script += "\n"
        G_LOGGER.super_verbose(f"Created script:\n{script}")
        return script

    def save(self, dest) -> None:
        """Writes the script into an open file, which becomes a program.

        Args:
            dest: The file, such as `argparse.FileType("w")` makes. It is left open. Files without
                a name on disk, and standard output, are only written to.
        """
        import os
        import stat

        script = str(self)
        with_path = dest not in (sys.stdout, sys.stderr) and isinstance(
            getattr(dest, "name", None), str
        )
        if with_path:
            G_LOGGER.info(f"Writing script to: {dest.name}")
        dest.write(script)
        if not with_path:
            return
        dest.flush()
        if os.path.isfile(dest.name):
            mode = os.stat(dest.name).st_mode
            # Users who may read it may run it.
            os.chmod(dest.name, mode | ((stat.S_IMODE(mode) & 0o444) >> 2))
