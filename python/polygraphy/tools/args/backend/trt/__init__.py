from polygraphy.tools.args.backend.trt.config import *
from polygraphy.tools.args.backend.trt.loader import *
from polygraphy.tools.args.backend.trt.runner import *
