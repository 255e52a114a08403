from polygraphy.backend.tensorrt_rtx.config import *
