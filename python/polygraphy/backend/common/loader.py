"""Loaders that know nothing of models."""

from __future__ import annotations

from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader


@mod.export(funcify=True)
class BytesFromPath(BaseLoader):
    """Reads a file."""

    def __init__(self, path: str):
        """
        Args:
            path: The file.
        """
        self._path = path

    def call_impl(self) -> bytes:
        """
        Returns:
            The contents of the file.
        """
        return util.load_file(self._path, description="bytes")


@mod.export(funcify=True)
class SaveBytes(BaseLoader):
    """Writes bytes into a file."""

    def __init__(self, obj, path: str):
        """
        Args:
            obj: The bytes, or a callable that returns them.
            path: The file.
        """
        self._bytes = obj
        self._path = path

    def call_impl(self) -> bytes:
        """
        Returns:
            The bytes.
        """
        obj, _ = util.invoke_if_callable(self._bytes)
        util.save_file(obj, self._path)
        return obj


@mod.export(funcify=True)
class InvokeFromScript(BaseLoader):
    """Calls a function of a Python file."""

    def __init__(self, path: str, name: str):
        """
        Args:
            path: The file.
            name: The function.
        """
        self._path = path
        self._name = name

    def __getattr__(self, name: str):
        # Attributes are those of what the file has; but the loader's own must not recurse here.
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(mod.import_from_script(self._path, self._name), name)

    def call_impl(self, *args, **kwargs):
        """
        Args:
            args: Positional arguments of the function.
            kwargs: Named ones.

        Returns:
            The function's result.
        """
        return mod.import_from_script(self._path, self._name)(*args, **kwargs)
