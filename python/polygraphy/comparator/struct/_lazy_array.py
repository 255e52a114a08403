"""Arrays that may lie in files."""

from __future__ import annotations

from polygraphy import config, util
from polygraphy.json import Decoder, Encoder, load_json, save_json
from polygraphy.logger import G_LOGGER


class LazyArray:
    """An array that lies on disk if it is large (see `config.ARRAY_SWAP_THRESHOLD_MB`).

    Args:
        arr: The array.
    """

    def __init__(self, arr):
        self.arr = None
        self.tmpfile = None
        threshold = config.ARRAY_SWAP_THRESHOLD_MB
        if 0 <= threshold << 20 < util.array.nbytes(arr):
            self.tmpfile = util.NamedTemporaryFile(suffix=".json")
            G_LOGGER.extra_verbose(
                f"Evicting large array ({util.array.nbytes(arr) / 1024.0**2:.3f} MiB) from "
                f"memory and saving to {self.tmpfile.name}"
            )
            save_json(arr, self.tmpfile.name)
        else:
            self.arr = arr

    def load(self):
        """The array."""
        if self.arr is not None:
            return self.arr
        if self.tmpfile is None:
            G_LOGGER.internal_error(
                "self.arr is None but self.tmpfile is also None; this should be impossible."
            )
        return load_json(self.tmpfile.name)


@Encoder.register(LazyArray)
def encode(lazy_arr):
    return {"values": lazy_arr.load()}


@Decoder.register(LazyArray, alias="LazyNumpyArray")
def decode(dct):
    return LazyArray(dct["values"])
