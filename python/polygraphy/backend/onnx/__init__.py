from polygraphy.backend.onnx.loader import *
