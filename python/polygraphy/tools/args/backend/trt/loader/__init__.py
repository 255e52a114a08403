"""Options of TensorRT's plugins, networks and engines."""

from polygraphy import mod
from polygraphy.tools.args.backend.trt.loader._engine import *
from polygraphy.tools.args.backend.trt.loader._network import *

mod.export_parts()
