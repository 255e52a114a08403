"""Describes networks of the user's own `tensorrt` module, in the form of pgb_inspect of the C header."""
import json

import numpy

ALIGNMENT = 16  # of weights in the file
# The numbers of types in ONNX, by TensorRT's names, and by NumPy's where these are other ones.
NUMBERS = {"FLOAT": 1, "UINT8": 2, "INT8": 3, "INT32": 6, "INT64": 7, "BOOL": 9, "HALF": 10, "BF16": 16, "FP8": 17,
           "INT4": 22, "FP4": 23, "E8M0": 24}
OF_NUMPY = {"FLOAT32": "FLOAT", "FLOAT16": "HALF"}
# Attributes that have no value where a second input of the layer has it.
FROM_INPUTS = {"RESIZE": {"scales"}, "SLICE": {"shape", "start", "stride"}}


class Description:
    """One network. `weights`: the arrays that its JSON refers to, in order."""

    def __init__(self, trt, network):
        self.trt, self.weights, self.bytes = trt, [], 0
        self.classes = {name[1:-len("Layer")].lower(): getattr(trt, name) for name in dir(trt)
                        if name.startswith("I") and name.endswith("Layer")}
        flags = [name for name, flag in getattr(trt.NetworkDefinitionCreationFlag, "__members__", {}).items()
                 if network.get_flag(flag)]
        self.json = {
            "name": network.name, "flags": flags,
            "layer_precisions": hasattr(trt.ILayer, "precision") and "STRONGLY_TYPED" not in flags,
            "inputs": [tensor_json(network.get_input(i)) for i in range(network.num_inputs)],
            "outputs": [tensor_json(network.get_output(i)) for i in range(network.num_outputs)],
            "layers": [self.layer_json(network.get_layer(i)) for i in range(network.num_layers)]}

    def layer_json(self, layer):
        kind = layer.type.name
        # The network gives its layers as plain ones: attributes belong to the class of the type.
        stem = kind.replace("_", "").lower()
        found = self.classes.get(stem) or self.classes.get("if" + stem)
        if found:
            layer.__class__ = found
        return {"name": layer.name, "type": kind, "op": str(layer.type),
                "inputs": [tensor_json(layer.get_input(i)) for i in range(layer.num_inputs)],
                "outputs": [tensor_json(layer.get_output(i)) for i in range(layer.num_outputs)],
                "attributes": [{"name": name, **self.value_json(layer, name)} for name in self.attributes_of(layer, kind)]}

    def attributes_of(self, layer, kind):
        names = [name for name in dir(layer) if not name.startswith("_") and not hasattr(self.trt.ILayer, name)]
        # Older names of attributes with two dimensions.
        hidden = {name[:-len("_nd")] for name in names if name.endswith("_nd")}
        if layer.num_inputs > 1:
            hidden |= FROM_INPUTS.get(kind, set())
        return [name for name in names if name not in hidden and not callable(getattr(type(layer), name, None))]

    def value_json(self, layer, name):
        try:
            value = getattr(layer, name)
            for kind, form in (("dims", "Dims"), ("permutation", "Permutation")):
                if isinstance(value, getattr(self.trt, form)):
                    return {kind: sizes_of(value)}
            return self.plain_json(value)
        except Exception as error:
            return {"text": "<Error: could not retrieve attribute '%s': %s>" % (name, error)}

    def plain_json(self, value):
        if hasattr(type(value), "__members__"):
            return {"enum": str(value)}
        for kind, form in (("bool", bool), ("int", int), ("float", float), ("text", str)):
            if isinstance(value, form):
                return {kind: value}
        if isinstance(value, numpy.ndarray):
            return {"weights": self.weights_json(value)}
        if isinstance(value, (list, tuple)):
            for kind, form in (("dims", int), ("floats", (int, float))):
                if all(isinstance(each, form) for each in value):
                    return {kind: list(value)}
            return {"text": str(value)}
        if isinstance(value, self.trt.Weights):  # of a type that NumPy lacks
            return {"text": "Weights: [dtype=%s, shape=[%d]]" % (value.dtype.name.lower(), value.size)}
        names = [str(getattr(value, name)) for name in ("plugin_type", "name") if hasattr(value, name)]
        return {"object": [*names, type(value).__name__][0]}

    def weights_json(self, array):
        name = array.dtype.name.upper()
        place = {"dtype": NUMBERS[OF_NUMPY.get(name, name)], "count": array.size, "at": self.bytes}
        self.weights.append(array)
        self.bytes += array.nbytes + -array.nbytes % ALIGNMENT
        return place

    def parts(self, with_weights):
        """The bytes of the file, piece by piece."""
        text = json.dumps(self.json).encode()
        yield text + b" " * (-(len(text) + 1) % ALIGNMENT) + b"\n"
        for array in self.weights if with_weights else ():
            yield numpy.ascontiguousarray(array)
            yield bytes(-array.nbytes % ALIGNMENT)


def sizes_of(dims):
    try:
        return list(dims)
    except ValueError:  # none are set
        return []


def tensor_json(tensor):
    if tensor is None:
        return None
    try:
        shape = list(tensor.shape)
    except ValueError:  # not known, not even how many
        shape = None
    described = {"name": tensor.name, "dtype": NUMBERS.get(tensor.dtype.name, 0), "shape": shape}
    if not tensor.is_execution_tensor:
        described["executed"] = False
    return described
