import itertools
import json
import os
import pathlib
import resource
import subprocess

import numpy as np
import onnx
import pytest

TREE = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("POLYGRAPHY", str(TREE / "build" / "release" / "bin" / "polygraphy"))


# ONNX Runtime computes what stands between QuantizeLinear and DequantizeLinear in floating point, as ONNX defines it.
# Its kernels for integers saturate on processors without VNNI.
EXACT_INT8 = ["--disable-optimizers", "QDQSelectorActionTransformer"]


class Polygraphy:
    """Runs `debug sensitivity` in a separate folder."""

    def __init__(self, folder):
        self.folder, self.numbers = folder, itertools.count()

    def save(self, model, feeds):
        path = self.folder / f"model{next(self.numbers)}.onnx"
        onnx.save(model, path)
        files = []
        for feed in feeds:
            files.append(str(self.folder / f"sample{next(self.numbers)}.npz"))
            np.savez(files[-1], **feed)
        return str(path), files

    def command(self, *words, timeout=None):
        return subprocess.run([PROGRAM, "debug", "sensitivity", *map(str, words)], capture_output=True, text=True,
                              timeout=timeout)

    def __call__(self, model, feeds, *words, code=None):
        """The result; its member `cpu` has the seconds of the process."""
        path, files = self.save(model, feeds)
        result = self.folder / f"result{next(self.numbers)}.json"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = self.command(path, "--load-inputs", *files, "--json", result, *words)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert process.returncode in ((0, 1) if code is None else (code,)), process.stdout + process.stderr
        read = json.loads(result.read_text())
        read["cpu"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return read


@pytest.fixture
def polygraphy(tmp_path):
    return Polygraphy(tmp_path)
