"""A JSON file as an object. The original has no such module, but scripts import it."""

from __future__ import annotations

from typing import Any

from polygraphy import mod
from polygraphy.json import load_json, save_json


@mod.export()
class JsonFile:
    """A JSON file of anything that `polygraphy.json` reads and writes.

    Args:
        path: The file. It need not be there before `save`.
    """

    def __init__(self, path: str):
        self.path = path

    def load(self) -> Any:
        """The contents of the file."""
        return load_json(self.path)

    def save(self, obj: Any) -> None:
        """Writes an object into the file.

        Args:
            obj: Anything made of what JSON has, and of registered types.
        """
        save_json(obj, self.path)
