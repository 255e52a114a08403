"""Where configurations of TensorRT-RTX do otherwise than the original, on purpose."""

import tensorrt_rtx as trt
from polygraphy.backend.tensorrt_rtx import CreateConfigRTX
from polygraphy.backend.trt import get_trt_logger
from polygraphy.exception import PolygraphyException
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = G_LOGGER.CRITICAL


def raises(text, f, *args, **kwargs):
    try:
        f(*args, **kwargs)
    except PolygraphyException as err:
        assert text in str(err), str(err)
    else:
        raise AssertionError(f"Nothing was raised that says: {text}")


for wrong in (8, (8,), (8, 6, 0)):
    raises("Compute capabilities are pairs", CreateConfigRTX, compute_capabilities=[wrong])

builder, network = trt.Builder(get_trt_logger()), trt.INetworkDefinition()
config = type(builder.create_builder_config())
config.set_compute_capability = lambda self, capability, index: False
raises("SM86 was refused", CreateConfigRTX(compute_capabilities=[(8, 6)]), builder, network)
raises("CURRENT was refused", CreateConfigRTX(use_gpu=True), builder, network)
print("done")
