"""The double of `tensorrt`, under the name of TensorRT-RTX."""

from tensorrt import *

__version__ = "1.2.0"
