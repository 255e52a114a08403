"""Modules that are imported when first used."""
import importlib
import re


class LazyModule:
    def __init__(self, name):
        self._name, self._module = name, None

    def __getattr__(self, attribute):
        if self._module is None:
            self._module = importlib.import_module(self._name)
        return getattr(self._module, attribute)

    def is_installed(self):
        return importlib.util.find_spec(self._name) is not None

    is_importable = is_installed


def lazy_import(name, log=None, pkg_name=None, install_flags=None, requires=None):
    return LazyModule(re.split("[<>=!~]", name)[0].strip())


def has_mod(name):
    return importlib.util.find_spec(name) is not None


def export(*_, **__):
    return lambda thing: thing


def version(text):
    return tuple(int(part) if part.isdigit() else part for part in text.split("."))
