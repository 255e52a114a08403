"""Optimization profiles and what the inputs of a network will be, on a double of TensorRT."""

import copy

import tensorrt as trt
from polygraphy.backend.trt import Profile, ShapeTuple, util
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER

# Loading modules is logged; which of them are needed for a data type differs.
util.get_layer_class_mapping()
DataType.from_dtype(trt.float32)
G_LOGGER.module_severity = G_LOGGER.ULTRA_VERBOSE


def show(f):
    try:
        print(repr(f()))
    except Exception as err:
        print(f"{type(err).__name__}: {err}")


class Builder:
    """Makes profiles; those that are not `valid` are refused."""

    def __init__(self, valid=True):
        self.valid = valid

    def create_optimization_profile(self):
        profile = trt.IOptimizationProfile()
        profile.valid = self.valid
        return profile


def network(*inputs):
    net = trt.INetworkDefinition()
    net.inputs = [trt.ITensor(*each) for each in inputs]
    return net


shapes = ShapeTuple((1, 2), [3, 4], (5, 6))
show(lambda: (shapes, str(shapes), list(shapes), shapes.min, shapes.opt, shapes.max))

profile = Profile()
show(lambda: (profile, str(profile), len(profile)))
show(lambda: profile.add("x", (1, 2), (3, 4), (5, 6)) is profile)
show(lambda: profile.add("y", min=[1], opt=[2], max=[3]))
print(profile)
show(lambda: (profile["x"], list(profile), "x" in profile, "z" in profile))
show(lambda: profile["z"])
show(lambda: profile.__setitem__("z", 3))
show(lambda: profile.__setitem__(3, shapes))
show(lambda: Profile({"a": shapes}))
show(lambda: copy.copy(profile))
show(lambda: copy.deepcopy(profile))

net = network(
    ("x", trt.float32, (-1, 2)),
    ("y", trt.float16, (2,)),
    ("s", trt.int32, (3,), True),
    ("s0", trt.int32, (), True),
    ("d", trt.int64, (-1,), True),
)
for value in (None, 7, 0):
    show(lambda: Profile().fill_defaults(net, value))
    mine = Profile().add("x", (1, 2), (3, 2), (5, 2))
    show(lambda: mine.fill_defaults(net, default_shape_value=value) is mine)
    print(mine)
show(lambda: Profile().fill_defaults(network(("y", trt.float32, (2,)))))

# TensorRT's own profiles
filled = Profile().add("x", (1, 2), (3, 2), (5, 2)).fill_defaults(net)
show(lambda: type(filled.to_trt(Builder(), net)))
show(lambda: type(Profile().add("*", (1, 2), (3, 2), (5, 2)).to_trt(Builder(), net)))
show(lambda: Profile().add("*", (1, 2), (3, 2), (5, 2)).fill_defaults(net))
show(lambda: Profile().add("?", (1,), (2,), (3,)).add("s*", (1,), (1,), (1,)).fill_defaults(net))
no_values = Profile().add("x", (1, 2), (3, 2), (5, 2)).add("y", (2,), (2,), (2,))
show(lambda: type(no_values.to_trt(Builder(), net)))
show(lambda: Profile().add("x", (1, 2), (3, 2), (5, 2)).to_trt(Builder(), net))
only = network(("x", trt.float32, (-1, 2)))
for name in ("z", "z*", "X"):
    show(lambda: Profile().add(name, (1,), (1,), (1,)).to_trt(Builder(), only))
show(lambda: Profile().fill_defaults(only).to_trt(Builder(valid=False), only))
show(lambda: util.check_profile(0))
show(lambda: type(util.check_profile(trt.IOptimizationProfile())))


# The metadata of inputs that profiles allow
def bounds(profile, *args):
    meta = util.get_input_metadata_from_network(net, profile, *args)
    return [(k, v.dtype, list(v.shape), v.shape.min, v.shape.max) for k, v in meta.items()]


made = filled.to_trt(Builder(), net)
show(lambda: bounds(made))
show(lambda: bounds(made, False))
show(lambda: bounds(made, True))
show(lambda: bounds(made, True))


# Calibrators
class Calibrator:
    is_polygraphy_calibrator = True

    def set_input_metadata(self, input_metadata):
        print("set_input_metadata", input_metadata)


class Config:
    def __init__(self, calibrator, profile=None):
        self.int8_calibrator = calibrator
        self.profile = profile

    def get_calibration_profile(self):
        print("get_calibration_profile")
        return self.profile


class OldConfig:
    int8_calibrator = Calibrator()


static = network(("x", trt.float32, (1, 2)))
not_ours = Calibrator()
not_ours.is_polygraphy_calibrator = False
for config in (
    object(),
    Config(None),
    Config(object()),
    Config(not_ours),
    OldConfig(),
    Config(Calibrator(), made),
):
    show(lambda: util.try_setup_polygraphy_calibrator(config, net))
    show(lambda: util.try_setup_polygraphy_calibrator(config, net, calib_profile=made))
show(lambda: util.try_setup_polygraphy_calibrator(Config(Calibrator()), static))

for shape in ((1, 2, 3), (1, 2, 3, 4), (5, 1, 2, 3, 4), (-1, -1, 3, 4)):
    show(lambda: (util.get_hwc_shape_from_chw(shape), util.get_chw_shape_from_hwc(shape)))
