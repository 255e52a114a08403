"""Classes that learn to be saved, beside arrays and what the package saves itself."""

import numpy as np
from polygraphy.json import (
    Decoder,
    Encoder,
    add_json_methods,
    from_json,
    load_json,
    save_json,
    to_json,
)


@add_json_methods("a point")
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


@Encoder.register(Point)
def encode(point):
    return {"x": point.x, "y": point.y}


@Decoder.register(Point)
def decode(fields):
    return Point(**fields)


Point(1, np.arange(3)).save("point.json")
point = Point.load("point.json")
print(point.x, point.y, from_json(to_json([point]))[0].y.sum())
mixed = {"number": 1.5, "array": np.eye(2), "list": [1, None, "text"]}
save_json(mixed, "mixed.json", description="mixed things")
print(load_json("mixed.json"))
try:
    Point.from_json(to_json({"no": "point"}))
except Exception as error:
    print(type(error).__name__, error)
try:
    to_json(object)
except Exception as error:
    print(type(error).__name__)
