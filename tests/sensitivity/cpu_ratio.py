"""cpu_ratio.py: CPU seconds of `debug sensitivity` against ONNX Runtime's quantize_static, a model and a session for
each layer. With --limit 1 the command measures effects and proves the set, as brute force would for effects alone."""

import logging
import pathlib
import tempfile
import time

import numpy as np
import onnx
import onnxruntime
from onnxruntime import quantization

import conftest
import models
import oracle


class Reader(quantization.CalibrationDataReader):
    def __init__(self, feeds):
        self.feeds = iter(feeds)

    def get_next(self):
        return next(self.feeds, None)


def brute_force(model, feeds, folder):
    """CPU seconds, from every third layer of a model with many."""
    source, target = str(folder / "m.onnx"), str(folder / "q.onnx")
    onnx.save(model, source)
    roles = oracle.roles(model)
    chosen = roles[::3] if len(roles) > 20 else roles
    start = time.process_time()
    for nodes, *_ in chosen:
        quantization.quantize_static(source, target, Reader(feeds), per_channel=True, nodes_to_quantize=nodes)
        session = onnxruntime.InferenceSession(target, providers=["CPUExecutionProvider"])
        for feed in feeds:
            session.run(None, feed)
    return (time.process_time() - start) / len(chosen) * len(roles)


def main():
    logging.disable(logging.WARNING)
    onnxruntime.set_default_logger_severity(3)
    magika = models.onnx.load(models.TREE / ".deps" / "models" / "magika.onnx")
    cases = {"chain": (models.chain(), {}), "decoder": (models.decoder(), {}),
             "plain decoder": (models.decoder(gated=False), {}), "bert": (models.bert(), {}),
             "magika": (magika, {"ranges": (0, 257)}), "resnet50": (models.resnet50(), {})}
    for name, (model, options) in cases.items():
        feeds = models.samples(model, 1, **options)
        if name == "bert":
            feeds[0]["mask"] = np.ones((1, 1, 1, 16), np.float32)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            ours = conftest.Polygraphy(folder)(model, feeds, "--format", "int8", "--limit", "1")
            searched = conftest.Polygraphy(folder)(model, feeds, "--format", "int8")
            theirs = brute_force(model, feeds, folder)
        print(f"{name}: {len(ours['layers'])} layers, {ours['cpu']:.2f} s against {theirs:.2f} s, 1/"
              f"{theirs / ours['cpu']:.0f}; with the search {searched['cpu']:.2f} s, {searched['runs']} runs, 1/"
              f"{theirs / searched['cpu']:.0f}; {searched['sessions']} sessions")


if __name__ == "__main__":
    main()
