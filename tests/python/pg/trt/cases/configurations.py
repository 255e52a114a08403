"""Builder configurations as text, on a double of TensorRT."""

import tensorrt as trt
from polygraphy.backend.trt import util


def show(title, config, network=None):
    print("----", title)
    try:
        print(util.str_from_config(config, network))
    except Exception as err:
        print(f"{type(err).__name__}: {err}")


class Config:
    """Says what it was made with. `names`: the flags and features that are set."""

    engine_capability = trt.EngineCapability.STANDARD
    default_device_type = trt.DeviceType.GPU
    DLA_core = -1
    profiling_verbosity = trt.ProfilingVerbosity.DETAILED
    num_optimization_profiles = 1
    int8_calibrator = None

    def __init__(self, *names, sources=0, **more):
        self.names, self.sources = names, sources
        vars(self).update(more)

    def get_flag(self, flag):
        return flag.name in self.names

    get_quantization_flag = get_preview_feature = get_flag

    def get_memory_pool_limit(self, pool):
        return (24 << 20) + 12345 * int(pool)

    def get_tactic_sources(self):
        return self.sources


network = trt.INetworkDefinition(3)
show("plain", Config(), network)
show("without network", Config())
flags = [*list(trt.BuilderFlag.__members__)[1:4], *trt.PreviewFeature.__members__]
show("flags", Config(*flags, "CALIBRATE_BEFORE_FUSION"), network)
show("sources", Config(sources=(1 << len(trt.TacticSource.__members__)) - 1), network)
show("DLA core", Config(DLA_core=0), network)
show("DLA", Config(default_device_type=trt.DeviceType.DLA), network)
show("profiles", Config(num_optimization_profiles=3), network)
show("calibrator", Config(int8_calibrator="a calibrator"), network)
show("safety", Config(engine_capability=trt.EngineCapability.SAFETY), network)
for name in ("engine_capability", "profiling_verbosity", "int8_calibrator"):
    value = getattr(Config, name)
    delattr(Config, name)
    show(f"no {name}", Config())
    setattr(Config, name, value)
for name in ("get_memory_pool_limit", "get_tactic_sources", "get_preview_feature"):
    value = getattr(Config, name)
    delattr(Config, name)
    show(f"no {name}", Config())
    setattr(Config, name, value)
for name in ("PreviewFeature", "TacticSource", "MemoryPoolType"):
    value = getattr(trt, name)
    delattr(trt, name)
    show(f"no {name}", Config())
    setattr(trt, name, value)
