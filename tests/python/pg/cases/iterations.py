"""Results of several iterations: in one file, in a folder, split, of different shapes."""

import os

import numpy as np
from polygraphy.backend.base import BaseRunner
from polygraphy.common import TensorMetadata
from polygraphy.comparator import *
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = G_LOGGER.EXTRA_VERBOSE


class Doubles(BaseRunner):
    def __init__(self, name, width=3):
        super().__init__(name=name)
        self.width = width

    def activate_impl(self):
        pass

    def deactivate_impl(self):
        pass

    def get_input_metadata_impl(self):
        return TensorMetadata().add("x", np.float32, (self.width,))

    def infer_impl(self, feed_dict):
        self.inference_time = 0.001
        return {"y": feed_dict["x"] * 2}


data = [{"x": np.full(3, i, "f4")} for i in range(3)]
results = Comparator.run([Doubles("one"), Doubles("two")], data_loader=data, save_inputs_path="inputs.json")
results.save("all.json")
for parts in results.split():
    print([(name, len(iterations)) for name, iterations in parts])
for options in (dict(save_inputs_path="inputs_folder"), dict(save_outputs_path="outputs_folder"),
                dict(save_outputs_path="outputs.json")):
    try:
        found = Comparator.run([Doubles("one")], data_loader=data, **options)
        print(type(found).__name__)
    except Exception as err:
        print(type(err).__name__, str(err)[:200])
print(sorted(name for name in os.listdir(".") if "." in name or os.path.isdir(name)))

iterations = lambda count, width: [
    IterationResult({"y": np.ones(width, "f4") * i}, runner_name="r") for i in range(count)
]
uneven = RunResults([("a", iterations(3, 2)), ("b", iterations(2, 2))])
try:
    for part in uneven.split():
        print([(name, len(found)) for name, found in part])
except Exception as err:
    print(type(err).__name__, err)
mixed = RunResults([("a", iterations(1, 2)), ("b", iterations(1, 3))])
print(bool(Comparator.compare_accuracy(mixed)))
