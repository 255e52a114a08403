"""TensorRT-RTX: its configurations, and what its networks and engines are made with."""

import onnx.parser
import tensorrt_rtx as trt
from polygraphy import config as polygraphy_config
from polygraphy.backend.tensorrt_rtx import *
from polygraphy.backend.trt import *
from polygraphy.logger import G_LOGGER

# The order of imports is different, and so are the stacks of calls.
G_LOGGER.module_severity = {"": G_LOGGER.VERBOSE, "mod": G_LOGGER.WARNING}
G_LOGGER.backtrace = lambda *args, **kwargs: print("(the stack)")
builder = trt.Builder(get_trt_logger())
network = trt.INetworkDefinition()


def show(f, *args, **kwargs):
    try:
        result = f(*args, **kwargs)
        print(f"= {type(result).__name__}")
        return result
    except Exception as err:
        print(f"= {type(err).__name__}: {err}")


def make(**options):
    print(f"\n== {options}")
    return show(lambda: CreateConfigRTX(**options)(builder, network))


make()
make(use_gpu=True)
make(use_gpu=False)
make(compute_capabilities=[(7, 5), (8, 0), (8, 6), (8, 9), (12, 0)])
make(compute_capabilities=[])
make(compute_capabilities=[(9, 9)])
make(use_gpu=True, compute_capabilities=[(8, 6)])
make(refittable=True, builder_optimization_level=2, tactic_sources=[])
make(fp16=True)
make(precision_constraints="obey")
make(algorithm_selector=1)
print(vars(CreateConfigRTX(compute_capabilities=[(8, 6)])))
show(lambda: CreateConfigRTX()(builder, None))
show(create_config_rtx, builder, network, use_gpu=True, refittable=True)


class Config(type(builder.create_builder_config())):
    def set_compute_capability(self, compute_capability, index):
        raise RuntimeError("no such GPU")


class Builder(trt.Builder):
    def create_builder_config(self):
        return Config()


show(lambda: CreateConfigRTX(use_gpu=True)(Builder(get_trt_logger()), network))
del trt.ComputeCapability
show(lambda: CreateConfigRTX(use_gpu=True)(builder, network))

# The configuration of TensorRT
for options in ({}, {"tf32": True}, {"fp16": True}, {"int8": True}, {"bf16": True}, {"fp8": True}):
    show(lambda: CreateConfig(**options)(builder, network))
for options in ({"use_dla": True}, {"allow_gpu_fallback": True}, {"calibrator": "one"}):
    show(lambda: CreateConfig(**options)(builder, network))

# Networks and engines
model = onnx.parser.parse_model(
    '<ir_version: 8, opset_import: ["" : 17]> g (float[2,3] x) => (float[2,3] y) { y = Relu (x) }'
).SerializeToString()
for version in ("1.4.9", "1.5.0"):
    trt.__version__ = version
    show(CreateNetwork())
G_LOGGER.module_severity = G_LOGGER.WARNING
engine = show(engine_from_network, network_from_onnx_bytes(model), config=CreateConfigRTX())
save_engine(engine, "x.engine")
show(engine_from_path, "x.engine")
show(lambda: EngineBytesFromNetwork(network)._config)

polygraphy_config.USE_TENSORRT_RTX = False
make()
make(use_gpu=True)
make(compute_capabilities=[(8, 6)])
