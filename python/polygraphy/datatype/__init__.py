from polygraphy.datatype.datatype import *
from polygraphy.datatype.numpy import *
from polygraphy.datatype.onnx import *
from polygraphy.datatype.onnxrt import *
from polygraphy.datatype.tensorrt import *
from polygraphy.datatype.torch import *

# Star imports skip nothing here: these modules have no `__all__`.
from polygraphy.datatype.datatype import register_dtype_exporter, register_dtype_importer
