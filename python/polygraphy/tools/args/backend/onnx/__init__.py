from polygraphy.tools.args.backend.onnx.loader import *
