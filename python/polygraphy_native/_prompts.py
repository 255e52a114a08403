"""The prompts of language models."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Sequence, Union

from polygraphy_native._reporting import Error

if TYPE_CHECKING:
    from polygraphy_native._inputs import Inputs

# The path of a file of prompts, or prompts: texts, and lists of token ids; None: no prompts.
Prompts = Union[str, "os.PathLike[str]", Sequence[Union[str, Sequence[int]]], None]


def _prompts_to_native(
    prompts: Prompts, inputs: Inputs, tokenizer: str | os.PathLike[str],
    decoder_names: str | os.PathLike[str],
) -> dict[str, Any]:  # fmt: skip
    if prompts is not None and inputs is not None:
        raise Error("prompts and inputs exclude each other.", "Leave out one of them.")
    return {
        "prompts": _prompts(prompts),
        "tokenizer": os.fspath(tokenizer),
        "decoder_names": os.fspath(decoder_names),
    }


def _decoding_to_native(
    decode: int | None, prompts: Prompts, inputs: Inputs, tokenizer: str | os.PathLike[str],
    decoder_names: str | os.PathLike[str], *, text: str | os.PathLike[str] = "", window: int = 512,
    free_run: bool = False, tokens: Sequence[Any] = (),
) -> dict[str, Any]:  # fmt: skip
    """Of a call that may decode; `tokens`: arrays for the extension."""
    if text:
        if decode is not None or prompts is not None or inputs is not None:
            raise Error("A text stands in place of decode, prompts and inputs.", "Leave them out.")
        decode = 0
    options = _prompts_to_native(prompts, inputs, tokenizer, decoder_names) | {
        "decode": decode, "free_run": free_run, "tokens": list(tokens), "text": os.fspath(text),
    }  # fmt: skip
    unused = [name for name, value in options.items() if value and name != "decode"]
    options["window"] = window
    if decode is None and unused:
        raise Error(f"{unused[0]} has no effect without decode.", "Give the number of steps.")
    return options


def _prompts(given: Prompts) -> str | list[Any] | None:
    if given is None or isinstance(given, (str, os.PathLike)):
        return None if given is None else os.fspath(given)
    prompts = [_prompt(each) for each in given]
    if not prompts:
        raise Error("The list of prompts is empty.", "Give a text, or a list of token ids.")
    return prompts


def _prompt(given: str | Sequence[int]) -> str | list[int]:
    if isinstance(given, str):
        if not given:
            raise Error("A prompt is an empty text.")
        return given
    try:
        ids = [int(each) for each in given]
    except TypeError:
        raise TypeError(
            f"a prompt is a text or a list of token ids, not {type(given).__name__}"
        ) from None
    if not ids or min(ids) < 0:
        raise Error(f"A prompt has no tokens, or a negative one: {ids}.")
    return ids
