"""Memory and streams of GPUs, by way of the CUDA runtime."""

from polygraphy import mod
from polygraphy.cuda.cuda._memory import *
from polygraphy.cuda.cuda._runtime import *
from polygraphy.cuda.cuda._runtime import try_get_stream_handle, void_ptr

mod.export_parts()
