from polygraphy.tools.args.backend.onnx import *
from polygraphy.tools.args.backend.onnxrt import *
from polygraphy.tools.args.backend.pluginref import *
from polygraphy.tools.args.backend.runner_select import *
from polygraphy.tools.args.backend.tf import *
from polygraphy.tools.args.backend.trt import *
