"""Builder configurations."""

from polygraphy import mod
from polygraphy.backend.trt.config._common import _CreateConfigCommon
from polygraphy.backend.trt.config._tensorrt import *

mod.export_parts()
