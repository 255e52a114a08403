"""One file for all iterations, or a folder with one file for each."""

from __future__ import annotations

import copy
import os
from typing import Any, Callable, Iterable, Iterator, List, Optional, Union

from polygraphy import util
from polygraphy.json.serde._files import load_json, save_json
from polygraphy.logger import G_LOGGER

ITERATION_FILE_INDEX_WIDTH = 10
"""int: Digits of the names of files that hold one iteration each"""


def list_iteration_files(dir_path: str) -> List[str]:
    """The `*.json` files of a folder, by name."""
    return sorted(
        os.path.join(dir_path, name) for name in os.listdir(dir_path) if name.endswith(".json")
    )


def is_single_file(path: str) -> bool:
    """Whether a path means one file: one with an extension does, one without means a folder."""
    return bool(os.path.splitext(path)[1])


class IterationWriter:
    """A context manager that writes iterations into one file, or into a folder as they come.

    Args:
        path: The file, or, without an extension, the folder.
        combine: Makes the contents of a single file from the list of iterations.
        copy_on_accumulate: Whether iterations that wait for the single file are copied, as their
            arrays may be overwritten by the next one.
        description: The kind of iterations, for messages.
    """

    def __init__(
        self,
        path: str,
        combine: Optional[Callable[[list], Any]] = None,
        copy_on_accumulate: bool = False,
        description: Optional[str] = None,
    ):
        self.path = path
        self.single_file = is_single_file(path)
        self._combine = combine
        self._copy_on_accumulate = copy_on_accumulate
        self._items: list = []
        self._index = 0
        self._description = description
        desc = util.default(description, "data")

        if self.single_file:
            G_LOGGER.info(f"Saving {desc} to a single file: {path}")
            return
        G_LOGGER.info(f"Saving {desc} to a directory of per-iteration files: {path}")
        if os.path.exists(path) and not os.path.isdir(path):
            G_LOGGER.critical(
                f"Cannot save {desc} to '{path}': a file already exists there, but an "
                "extensionless path is a directory of per-iteration files. Use a path with a "
                "file extension to save a single file, or a different directory."
            )
        if os.path.isdir(path) and os.listdir(path):
            G_LOGGER.critical(
                f"Cannot save {desc} to '{path}': the directory is not empty. Per-iteration "
                "files require an empty or new directory (so nothing is overwritten). Use a "
                "different path, or remove its contents first."
            )
        os.makedirs(path, exist_ok=True)

    def append(self, item: Any) -> None:
        """Takes one more iteration."""
        if self.single_file:
            self._items.append(copy.deepcopy(item) if self._copy_on_accumulate else item)
        else:
            name = f"{self._index:0{ITERATION_FILE_INDEX_WIDTH}d}.json"
            save_json(item, os.path.join(self.path, name), self._description)
        self._index += 1

    def flush(self) -> None:
        """Writes the single file, with everything so far."""
        if self.single_file:
            combined = self._combine(self._items) if self._combine else self._items
            save_json(combined, self.path, self._description)

    def __enter__(self) -> "IterationWriter":
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        self.flush()


def iterate_from_files(
    paths: Union[str, Iterable[str]],
    load_file: Callable[[str], Iterable],
    allow_dirs: bool = True,
) -> Iterator:
    """The iterations in some files and folders, loaded one file at a time.

    Args:
        paths: The files and folders.
        load_file: Returns the iterations in a file.
        allow_dirs: Whether folders are fine.
    """
    for path in [paths] if isinstance(paths, str) else paths:
        if not os.path.isdir(path):
            yield from load_file(path)
            continue
        if not allow_dirs:
            G_LOGGER.critical(
                f"Could not load '{path}': it is a directory, but a file was expected. To read a "
                "directory of per-iteration files, use the streaming reader (e.g. "
                "--load-inputs/--load-outputs, or "
                "StreamingDataLoader/RunResults.load_streaming)."
            )
        for file in list_iteration_files(path):
            yield from load_file(file)


def iterate_json_list(path: str, description: Optional[str] = None) -> Iterator:
    """The elements of the list in a file, or the one object that it holds instead."""
    contents = load_json(path, description)
    yield from contents if isinstance(contents, list) else [contents]
