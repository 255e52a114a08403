from polygraphy.tools.args.backend.onnxrt.loader import *
from polygraphy.tools.args.backend.onnxrt.runner import *
