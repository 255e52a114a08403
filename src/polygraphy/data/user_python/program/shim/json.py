"""save_json and load_json: JSON with arrays, as the tool's own files have them."""
import base64
import io
import json as _json

import numpy

_encoders, _decoders = {}, {}


class Encoder(_json.JSONEncoder):
    @staticmethod
    def register(kind, alias=None):
        def add(function):
            _encoders[kind] = (alias or kind.__name__, function)
            return function
        return add

    def default(self, value):
        for kind in type(value).__mro__:
            if kind in _encoders:
                name, function = _encoders[kind]
                return dict(function(value), polygraphy_class=name)
        if isinstance(value, numpy.generic):
            return value.item()
        return super().default(value)


class Decoder:
    @staticmethod
    def register(kind, alias=None):
        def add(function):
            _decoders[alias or kind.__name__] = function
            return function
        return add

    def __call__(self, fields):
        name = fields.get("polygraphy_class")
        if name is None:
            return fields
        if name not in _decoders:
            raise ValueError("Could not decode serialized type: %s" % name)
        return _decoders[name](fields)


@Encoder.register(numpy.ndarray)
def _encode_array(array):
    file = io.BytesIO()
    numpy.save(file, array, allow_pickle=False)
    return {"array": base64.b64encode(file.getvalue()).decode("ascii")}


@Decoder.register(numpy.ndarray)
def _decode_array(fields):
    return numpy.load(io.BytesIO(base64.b64decode(fields["array"])), allow_pickle=False)


_decoders["LazyArray"] = _decoders["LazyNumpyArray"] = lambda fields: fields["values"]


def _plain(value):
    """With the classes that json would take for lists and dicts encoded first."""
    for kind in type(value).__mro__:
        if kind in _encoders:
            name, function = _encoders[kind]
            return dict(_plain(dict(function(value))), polygraphy_class=name)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def to_json(obj):
    return _json.dumps(_plain(obj), cls=Encoder, indent=4)


def from_json(src):
    return _json.loads(src, object_pairs_hook=lambda pairs: Decoder()(dict(pairs)))


def save_json(obj, dest, description=None):
    text = to_json(obj)
    if hasattr(dest, "write"):
        dest.write(text)
        return
    with open(dest, "w") as file:
        file.write(text)


def load_json(src, description=None):
    if hasattr(src, "read"):
        return from_json(src.read())
    with open(src) as file:
        return from_json(file.read())


def add_json_methods(description=None):
    def add(kind):
        kind.to_json = to_json
        kind.from_json = staticmethod(from_json)
        kind.save = lambda self, dest: save_json(self, dest, description)
        kind.load = staticmethod(lambda src: load_json(src, description))
        return kind
    return add
