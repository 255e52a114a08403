"""Uses torch in the user's Python for its random numbers, its tensors in files, and LPIPS."""
import base64
import io
import sys

import numpy

_state = {}


def setup(failure, to_array, describe):
    _state.update(failure=failure, to_array=to_array, describe=describe)
    return sys.modules[__name__]


def need(name):
    try:
        return __import__(name)
    except ImportError as error:
        raise _state["failure"]("Module: '%s' is required but could not be imported." % name,
                                "Note: Error was: %s\n%s" % (_state["describe"](error), sys.executable), kind="module")


# ---- --data-loader-backend-module torch

def draw_begin(request, _):
    torch = need("torch")
    _state["generator"] = torch.Generator()
    _state["generator"].manual_seed(request["seed"])
    return {}, ()


def draw(request, _):
    """One input: integers in [low, high], or floats in [low, high)."""
    torch, generator = need("torch"), _state["generator"]
    dtype = getattr(torch, request["type"], None)
    if dtype is None:
        raise _state["failure"]("Torch has no data type %s" % request["type"], "", kind="torch")
    try:
        if not dtype.is_floating_point and not dtype.is_complex:
            tensor = torch.randint(request["low"], request["high"] + 1, request["shape"], generator=generator, dtype=dtype)
        else:
            tensor = torch.rand(request["shape"], generator=generator, dtype=dtype)
            if (request["low"], request["high"]) != (0, 1):
                tensor = tensor * (request["high"] - request["low"]) + request["low"]
    except (RuntimeError, ValueError, NotImplementedError) as error:
        raise _state["failure"]("Torch cannot generate values of type %s: %s" % (
            request["type"], _state["describe"](error)), "", kind="torch")
    return {}, [("", _state["to_array"](tensor))]


# ---- --load-inputs of JSON with tensors

def load_tensor(request, _):
    torch = need("torch")
    try:
        data = base64.b64decode(request["text"].replace("\\/", "/"), validate=True)
        tensor = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except Exception as error:
        raise _state["failure"]("torch cannot read it: %s" % _state["describe"](error), "", kind="torch")
    if not isinstance(tensor, torch.Tensor):
        raise _state["failure"]("torch read a %s instead." % type(tensor).__name__, "", kind="torch")
    return {}, [("", _state["to_array"](tensor))]


# ---- --compare perceptual_metrics

def lpips_begin(request, _):
    torch, lpips = need("torch"), need("lpips")
    problems = []
    for network in ("alex", "vgg"):
        try:
            _state["network"] = lpips.LPIPS(net=network, version="0.1", verbose=False).to(torch.device("cpu")).eval()
            return {}, ()
        except Exception as error:
            problems.append("%s: %s" % (network, _state["describe"](error)))
    raise _state["failure"]("The LPIPS network cannot be loaded: " + "; ".join(problems),
                            "Its weights are fetched when it is first used: run `%s -c \"import lpips; lpips.LPIPS()\"` "
                            "once where that works." % sys.executable, kind="module")


def image(array):
    """Batch, three channels, height, width; from -1 to 1. Channels may come last."""
    array = numpy.asarray(array, dtype=numpy.float32)
    if array.ndim == 3:
        array = array[None]
    if array.shape[-1] <= 3:
        array = array.transpose(0, 3, 1, 2)
    if array.max() > 1:
        array = array / 255
    if 0 <= array.min() and array.max() <= 1:
        array = array * 2 - 1
    channels = [0, min(1, array.shape[1] - 1), min(2, array.shape[1] - 1)]
    return array[:, channels]


def lpips(request, arrays):
    torch = need("torch")
    try:
        pair = [torch.from_numpy(numpy.ascontiguousarray(image(arrays[key]))) for key in ("a", "b")]
        size = tuple(max(one.shape[axis] for one in pair) for axis in (2, 3))
        pair = [one if tuple(one.shape[2:]) == size else torch.nn.functional.interpolate(
            one, size=size, mode="bilinear", align_corners=False) for one in pair]
        with torch.no_grad():
            figure = _state["network"](*pair)
        return {"figure": float(torch.as_tensor(figure).mean())}, ()
    except Exception as error:
        return {"problem": _state["describe"](error)}, ()
