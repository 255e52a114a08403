"""JSON in memory and in files: one for all iterations, or one for each."""

from __future__ import annotations

import copy
import json
import os
from typing import Any, Callable, Iterable, Iterator, List, Optional, Union

from polygraphy import constants, mod, util
from polygraphy.json.serde._registry import (
    Decoder,
    Encoder,
    _register_arrays,
    try_register_common_json,
)
from polygraphy.logger import G_LOGGER
from polygraphy.util.util import is_file_like


class _FileEncoder(Encoder):
    """Leaves large arrays to the writer of the file."""

    def __init__(self, tokens, **kwargs):
        super().__init__(**kwargs)
        self._tokens = tokens

    def default(self, o: Any) -> Any:
        if self._tokens.takes(o):
            return {"array": self._tokens.add(o), constants.TYPE_MARKER: "ndarray"}
        return super().default(o)


class _FileDecoder(Decoder):
    """Fetches large arrays from the file."""

    def __init__(self, arrays):
        self._arrays = arrays

    def __call__(self, pairs) -> Any:
        tokens = [value for _, value in pairs if self._arrays.is_token(value)]
        if not tokens:
            return super().__call__(pairs)
        if (constants.TYPE_MARKER, "ndarray") in pairs:
            return self._arrays.array(tokens[-1])
        text_of = self._arrays.original_text
        return super().__call__([(k, text_of(v) if v in tokens else v) for k, v in pairs])


@mod.export()
@try_register_common_json
def to_json(obj: Any) -> str:
    """An object as JSON, indented by four spaces.

    Args:
        obj: Anything made of what JSON has, and of registered types.
    """
    return json.dumps(obj, cls=Encoder, indent=constants.TAB)


@mod.export()
@try_register_common_json
def from_json(src: str) -> Any:
    """The object that JSON describes. Dictionaries are `OrderedDict`.

    Args:
        src: The text.

    Raises:
        PolygraphyException: If it names a type that is not registered.
    """
    return json.loads(src, object_pairs_hook=Decoder())


@mod.export()
def save_json(obj: Any, dest, description: Optional[str] = None) -> None:
    """Writes an object into a JSON file.

    Args:
        obj: The object.
        dest: A path or a file-like object.
        description: The kind of object, for a message.
    """
    if is_file_like(dest):
        util.save_file(to_json(obj), dest, mode="w", description=description)
        return
    from polygraphy.json import _arrays_in_files
    from polygraphy.util._replaced_file import replaced_file

    if description is not None:
        G_LOGGER.info(f"Saving {description} to {dest}")
    _register_arrays()
    tokens = _arrays_in_files.ArrayTokens()
    text = json.dumps(obj, cls=_FileEncoder, indent=constants.TAB, tokens=tokens)
    util.makedirs(dest)
    with replaced_file(dest, "wb") as file:
        tokens.write(text, file)


@mod.export()
def load_json(src, description: Optional[str] = None) -> Any:
    """The object in a JSON file.

    Args:
        src: A path or a file-like object.
        description: The kind of object, for a message.
    """
    if is_file_like(src) or not os.path.isfile(src):
        return from_json(util.load_file(src, mode="r", description=description))
    from polygraphy.json import _arrays_in_files

    if description is not None:
        G_LOGGER.info(f"Loading {description} from {src}")
    _register_arrays()
    with open(src, "rb") as file:
        arrays = _arrays_in_files.ArrayFile(file)
        return json.loads(arrays.text, object_pairs_hook=_FileDecoder(arrays))


@mod.export()
def add_json_methods(description: Optional[str] = None) -> Callable:
    """A decorator for classes, which adds `to_json()`, `from_json(src)`, `save(dest)`, `load(src)`.

    Reading something of another type raises `PolygraphyException`.

    Args:
        description: The kind of objects of the class, for messages of saving and loading.
    """

    def add_json_methods_impl(cls):
        def check_decoded(obj):
            if not isinstance(obj, cls):
                G_LOGGER.critical(
                    f"Provided JSON cannot be decoded into a {cls.__name__}.\n"
                    f"Note: JSON was decoded into a {type(obj)}:\n{obj}"
                )
            return obj

        def _to_json(self) -> str:
            """This object as JSON."""
            return to_json(self)

        def _from_json(src: str):
            return check_decoded(from_json(src))

        def _save(self, dest) -> None:
            """Writes this object into a JSON file.

            Args:
                dest: A path or a file-like object.
            """
            save_json(self, dest, description=description)

        def _load(src):
            return check_decoded(load_json(src, description=description))

        _from_json.__doc__ = f"A {cls.__name__} from JSON.\n\nArgs:\n    src: The text."
        _load.__doc__ = (
            f"A {cls.__name__} from a JSON file.\n\nArgs:\n    src: A path or a file-like object."
        )
        for name, method in (("to_json", _to_json), ("save", _save)):
            method.__name__ = name
            setattr(cls, name, method)
        for name, method in (("from_json", _from_json), ("load", _load)):
            method.__name__ = name
            setattr(cls, name, staticmethod(method))
        return cls

    return add_json_methods_impl


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
