from polygraphy.backend.onnxrt.loader import *
from polygraphy.backend.onnxrt.runner import *
