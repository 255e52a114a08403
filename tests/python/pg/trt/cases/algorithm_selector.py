"""Tactics written down and replayed, on a double of TensorRT."""

import copy
import warnings

import tensorrt as trt
from polygraphy.backend.trt import (
    Algorithm,
    TacticRecorder,
    TacticReplayData,
    TacticReplayer,
    TensorInfo,
    algorithm_selector,
)
from polygraphy.json import from_json, to_json

warnings.simplefilter("always")
warnings.showwarning = lambda message, category, *_: print(category.__name__, message)


def show(f):
    try:
        print(repr(f()))
    except Exception as err:
        print(f"{type(err).__name__}: {err}")


info = TensorInfo(trt.float32, (1, 2), -1, 1)
show(lambda: (info, str(info), vars(info)))
same = TensorInfo(dtype=trt.float32, strides=[1, 2], vectorized_dim=-1, components_per_element=1)
show(lambda: (info == same, hash(info) == hash(same), same))
for other in (
    (trt.float16, (1, 2), -1, 1),
    (trt.float32, (1, 3), -1, 1),
    (trt.float32, (1, 2), 0, 1),
    (trt.float32, (1, 2), -1, 4),
):
    show(lambda: (info == TensorInfo(*other), info != TensorInfo(*other)))
for wrong in (
    (3, (1, 2), -1, 1),
    (None, (1,), -1, 1),
    (trt.float32, 3, -1, 1),
    (trt.float32, None, -1, 1),
    (trt.float32, (1, 2), "a", 1),
    (trt.float32, (1, 2), -1, 1.5),
):
    show(lambda: TensorInfo(*wrong))
algorithm = Algorithm(5, 6, [info], (same,))
show(lambda: (str(algorithm), vars(algorithm), str(Algorithm(1, 2, [], []))))
show(lambda: algorithm == Algorithm(5, 6, inputs=[info], outputs=[info]))
show(lambda: hash(algorithm) == hash(Algorithm(5, 6, [same], [same])))
for other in ((5, 7, [info], [info]), (4, 6, [info], [info]), (5, 6, [], [info])):
    show(lambda: algorithm == Algorithm(*other))
for wrong in ((1, 2, [3], []), (1, 2, [], [3]), (1, 2, 3, [])):
    show(lambda: Algorithm(*wrong))
show(lambda: algorithm_selector.check_is_instance(3, int, "number"))
show(lambda: algorithm_selector.check_is_instance("3", int, "number"))


# Out of TensorRT
def io_info(dtype, strides, *more):
    return trt.IAlgorithmIOInfo(dtype, strides, *more)


def context(name="layer", outputs=1):
    return trt.IAlgorithmContext(name, 1, outputs)


def choice(tactic, implementation=1):
    infos = [io_info(trt.float32, (1,)), io_info(trt.int8, (2,), 1, 4), io_info(trt.float16, (3,))]
    return trt.IAlgorithm(implementation, tactic, infos)


show(lambda: TensorInfo.from_trt(io_info(trt.int8, [4, 1], 1, 32)))
show(lambda: str(Algorithm.from_trt(context(outputs=2), choice(-22))))
show(lambda: str(Algorithm.from_trt(context=context(outputs=0), algorithm=choice(3))))

# Files
replay = TacticReplayData()
show(lambda: (str(replay), len(replay)))
show(lambda: replay.add("layer", Algorithm.from_trt(context(outputs=2), choice(4))) is replay)
replay.add("other", algorithm)
print(replay)
show(lambda: (len(replay), list(replay), replay["other"] is algorithm, "layer" in replay))
show(lambda: replay.add("third", 3))
show(lambda: replay["third"])
print(replay.to_json(), to_json(info))
show(lambda: from_json(to_json(info)) == info)
show(lambda: from_json(to_json(algorithm)) == algorithm)
show(lambda: TacticReplayData.from_json(replay.to_json()) == replay)
show(lambda: replay.save("replay.json"))
show(lambda: TacticReplayData.load("replay.json") == replay)
show(lambda: copy.deepcopy(replay) == replay)
for text in ("{}", to_json(algorithm)):
    show(lambda: TacticReplayData.from_json(text))
show(lambda: TacticReplayData.load("missing.json"))
show(lambda: from_json(to_json(info).replace("DataType.FLOAT", "DataType.NONE")))
show(lambda: from_json(to_json(info).replace("DataType.FLOAT", "__version__")))

# Selectors
base = algorithm_selector.get_base_selector_type()
show(lambda: (base.__name__, base.__mro__[1:]))


class Bad:
    def __getattr__(self, name):
        raise RuntimeError(f"no {name}")


recorder = TacticRecorder("recorded.json")
show(lambda: (type(recorder).__mro__[2:], recorder.path, recorder.data, recorder.constructed))
show(lambda: (recorder.make_func is TacticRecorder, type(recorder).__name__))
show(lambda: recorder.select_algorithms(context(), [choice(1), choice(2)]))
show(lambda: recorder.select_algorithms(context(), []))
show(lambda: recorder.report_algorithms([context(), context("b")], [choice(2), choice(3)]))
show(lambda: TacticReplayData.load("recorded.json") == recorder.data)
print(recorder.data)
mine = TacticReplayData()
recorder = TacticRecorder(mine)
show(lambda: (recorder.data is mine, recorder.path))
show(lambda: recorder.report_algorithms([context("one")], [choice(2)]))
show(lambda: recorder.report_algorithms([context("two")], [choice(2)]))
show(lambda: list(mine))
show(lambda: recorder.report_algorithms([Bad()], [choice(2)]))

replayer = TacticReplayer("recorded.json")
show(lambda: (type(replayer).__mro__[2:], replayer.path, list(replayer.data), replayer.constructed))
offers = [choice(1), choice(2), choice(3)]
for name in ("layer", "b", "unknown", "unknown", "too"):
    show(lambda: replayer.select_algorithms(context(name), offers))
for offer in ([choice(1)], [], [choice(3, implementation=9)]):
    show(lambda: replayer.select_algorithms(context("b"), offer))
names = [context("layer"), context("b"), context("unknown")]
show(lambda: replayer.report_algorithms(names, [choice(2), choice(3), choice(7)]))
show(lambda: replayer.report_algorithms(names[:1], [choice(5)]))
show(lambda: replayer.select_algorithms(Bad(), offers))
show(lambda: replayer.report_algorithms([Bad()], offers))
show(lambda: TacticReplayer(mine).data is mine)
show(lambda: TacticReplayer(TacticReplayData()).select_algorithms(context(), offers))
show(lambda: TacticReplayer("missing.json"))
