"""Outputs of runners."""

from __future__ import annotations

from typing import Iterable, Iterator, List, Optional, Tuple

from polygraphy import config, mod, util
from polygraphy.common.interface import TypedDict, TypedList
from polygraphy.json import Decoder, Encoder, add_json_methods, load_json, save_json
from polygraphy.json.serde import iterate_from_files
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


@mod.export()
class IterationResult(TypedDict(lambda: str, lambda: LazyArray)):
    """Names of outputs -> arrays, of one inference of one runner.

    Args:
        outputs: Name -> array.
        runtime: Seconds that the inference took.
        runner_name: The name of its runner, `"custom_runner"` if left out.
    """

    def __init__(
        self,
        outputs: Optional[dict] = None,
        runtime: Optional[float] = None,
        runner_name: Optional[str] = None,
    ):
        if outputs and config.ARRAY_SWAP_THRESHOLD_MB < 0:
            arrays = [out.arr if isinstance(out, LazyArray) else out for out in outputs.values()]
            total_size_gb = sum(_nbytes(arr) for arr in arrays) / (1024.0**3)
            if total_size_gb >= 1:
                G_LOGGER.warning(
                    "It looks like the outputs of this network are very large "
                    f"({total_size_gb:.3f} GiB).\nTo reduce memory usage, you may want to allow "
                    "Polygraphy to swap these arrays to the disk using the "
                    "POLYGRAPHY_ARRAY_SWAP_THRESHOLD_MB environment variable."
                )
        super().__init__({name: _lazy(out) for name, out in (outputs or {}).items()})
        self.runtime = runtime
        self.runner_name = util.default(runner_name, "custom_runner")

    def __getitem__(self, name):
        return super().__getitem__(name).load()

    def __setitem__(self, name, arr) -> None:
        super().__setitem__(name, _lazy(arr))

    def values(self) -> Iterator:
        for arr in super().values():
            yield arr.load()

    def items(self) -> Iterator[Tuple[str, object]]:
        for name, arr in super().items():
            yield name, arr.load()

    def update(self, other) -> None:
        for name, arr in other.items():
            self[name] = arr

    def __eq__(self, other) -> bool:
        if not isinstance(other, IterationResult):
            return NotImplemented
        return (
            self.runtime == other.runtime
            and self.runner_name == other.runner_name
            and set(self.keys()) == set(other.keys())
            and all(util.array.equal(arr, other[name]) for name, arr in self.items())
        )

    __hash__ = None


def _lazy(arr) -> LazyArray:
    return arr if isinstance(arr, LazyArray) else LazyArray(arr)


def _nbytes(arr) -> int:
    is_array = (
        util.array.is_numpy(arr) or util.array.is_torch(arr) or util.array.is_device_view(arr)
    )
    return util.array.nbytes(arr) if is_array else 0


@Encoder.register(IterationResult)
def encode(iter_result):
    return {
        "outputs": iter_result.dct,
        "runtime": iter_result.runtime,
        "runner_name": iter_result.runner_name,
    }


@Decoder.register(IterationResult)
def decode(dct):
    return IterationResult(
        outputs=dct["outputs"], runtime=dct["runtime"], runner_name=dct["runner_name"]
    )


@mod.export()
@add_json_methods("inference results")
class RunResults(TypedList(lambda: tuple)):
    """Names of runners with their results, one IterationResult for each iteration.

    A list of pairs, in which a name may occur twice, with the methods of a dictionary besides.

    Args:
        lst: The pairs.
    """

    def items(self) -> Iterator[Tuple[str, List[IterationResult]]]:
        """Names with results."""
        for name, iterations in self.lst:
            yield name, iterations

    def keys(self) -> Iterator[str]:
        """Names of runners."""
        for name, _ in self.lst:
            yield name

    def values(self) -> Iterator[List[IterationResult]]:
        """Results of runners."""
        for _, iterations in self.lst:
            yield iterations

    def update(self, other) -> None:
        """Takes over the results in a dictionary or other results, replacing those of a name.

        Args:
            other: Names of runners -> iterations.
        """
        for name, iterations in other.items():
            self[name] = iterations

    def add(
        self,
        out_list: List[dict],
        runtime: Optional[float] = None,
        runner_name: Optional[str] = None,
    ) -> None:
        """Adds outputs from elsewhere as those of a runner.

        Args:
            out_list: For each iteration, name -> array.
            runtime: Seconds that each took, or a list of them.
            runner_name: The runner, `"custom_runner"` if left out.
        """
        runner_name = util.default(runner_name, "custom_runner")
        iterations = []
        for index, outputs in enumerate(out_list):
            seconds = runtime[index] if util.is_sequence(runtime) else runtime
            iterations.append(IterationResult(outputs, seconds, runner_name))
        self[runner_name] = iterations

    def split(self) -> Iterator["RunResults"]:
        """The results of each iteration, as separate results."""
        for index in range(max(map(len, self.values()), default=0)):
            yield RunResults(
                [(name, its[index : index + 1]) for name, its in self.items() if index < len(its)]
            )

    @staticmethod
    def concat(runs: Iterable["RunResults"]) -> "RunResults":
        """The iterations of several results, one after the other.

        Args:
            runs: The results, in order.
        """
        ret = RunResults()
        for run in runs:
            for name, iterations in run.items():
                ret[name] = (ret[name] if name in ret else []) + list(iterations)
        return ret

    @staticmethod
    def load_streaming(path, allow_dirs: bool = True) -> Iterator["RunResults"]:
        """The results of each iteration in a file or folder, loaded on access.

        Args:
            path: A file, or a folder with a file for each iteration, or several of both.
            allow_dirs: Whether folders are fine.
        """
        return iterate_from_files(path, lambda file: RunResults.load(file).split(), allow_dirs)

    def __getitem__(self, key):
        if not isinstance(key, str):
            return self.lst[key]
        for name, iterations in self.lst:
            if name == key:
                return iterations
        G_LOGGER.critical(
            f"{key:35} does not exist in this RunResults instance. "
            f"Note: Available runners: {list(self.keys())}"
        )

    def __setitem__(self, key, value) -> None:
        if not isinstance(key, str):
            super().__setitem__(key, value)
            return
        for index, name in enumerate(self.keys()):
            if name == key:
                self.lst[index] = (key, value)
                return
        self.append((key, value))

    def __contains__(self, val) -> bool:
        return val in list(self.keys()) if isinstance(val, str) else val in self.lst

    def __eq__(self, other) -> bool:
        if not isinstance(other, RunResults):
            return NotImplemented
        return list(self.keys()) == list(other.keys()) and all(
            mine == theirs for mine, theirs in zip(self.values(), other.values())
        )

    __hash__ = None


@Encoder.register(RunResults)
def encode(results):
    return {"lst": results.lst}


@Decoder.register(RunResults)
def decode(dct):
    return RunResults([tuple(pair) for pair in dct["lst"]])
