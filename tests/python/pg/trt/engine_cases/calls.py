"""Networks that a script makes by calls are built and run; functions extend loaders."""

import cudart_double
import numpy as np
import tensorrt as trt
from polygraphy import func
from polygraphy.backend.trt import *
from polygraphy.comparator import Comparator, CompareFunc, DataLoader
from polygraphy.logger import G_LOGGER

# The order of imports is different.
G_LOGGER.module_severity = {"": G_LOGGER.VERBOSE, "mod": 30, "cuda": 40, "util": 40}
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def show(runner):
    with runner:
        print(runner.get_input_metadata())
        outputs = runner.infer({"x": X})
        print({name: (array.dtype.name, array.tolist()) for name, array in outputs.items()})
    cudart_double.calls()  # of memory: as the package likes


def add_layers(network):
    x = network.add_input("x", shape=(2, 3), dtype=trt.float32)
    ones = network.add_constant((3, 2), np.ones(6, np.float32)).get_output(0)
    none = trt.MatrixOperation.NONE
    product = network.add_matrix_multiply(x, none, ones, none).get_output(0)
    kept = network.add_identity(product).get_output(0)
    total = network.add_elementwise(kept, product, trt.ElementWiseOperation.SUM).get_output(0)
    total.name = "y"
    network.mark_output(total)


@func.extend(CreateNetwork())
def network_of_calls(builder, network):
    add_layers(network)


@func.extend(CreateNetwork())
def network_in_place_of(builder, network):
    other = builder.create_network(0)
    add_layers(other)
    other.name = "another"
    return builder, other


@func.extend(network_of_calls)
def with_another_output(builder, network):
    inner = network.get_layer(2).get_output(0)
    inner.name = "inner"
    network.mark_output(inner)


@func.extend(CreateConfig())
def small(config):
    config.set_memory_pool_limit(trt.MemoryPoolType.WORKSPACE, 1 << 20)


for load in (network_of_calls, network_in_place_of, with_another_output):
    print("\n==", load.__name__)
    show(TrtRunner(EngineFromNetwork(load)))
    show(TrtRunner(engine_from_network(load(), config=small)))
    print(type(engine_bytes_from_network(load)).__name__)

print("\n== saved, and loaded again")
SaveEngine(EngineFromNetwork(network_of_calls, config=small), path="saved.engine")()
show(TrtRunner(EngineFromBytes(lambda: open("saved.engine", "rb").read())))

print("\n== more of a loader")
more = [
    ModifyNetworkOutputs(network_of_calls, outputs=["y", "*Identity*"]),
    ModifyNetworkOutputs(network_of_calls, outputs=["*MatrixMultiply*"], exclude_outputs=["y"]),
    PostprocessNetwork(network_of_calls, lambda network: setattr(network, "name", "edited")),
]
if hasattr(trt.ILayer, "precision"):
    kept = {"(Unnamed Layer* 2) [Identity]": trt.float16}
    more.append(SetLayerPrecisions(network_of_calls, kept))
for loader in more:
    try:
        show(TrtRunner(EngineFromNetwork(loader, config=CreateConfig(tf32=True))))
    except Exception as err:
        print(type(err).__name__, err)

print("\n== compared")
runners = [TrtRunner(EngineFromNetwork(network_of_calls), name=name) for name in ("one", "two")]
data = DataLoader(iterations=2, input_metadata=None)
results = Comparator.run(runners, data_loader=data)
print(bool(Comparator.compare_accuracy(results, compare_func=CompareFunc.simple(atol=1e-8))))
