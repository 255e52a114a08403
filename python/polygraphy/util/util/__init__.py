"""Helpers that everything else uses: names, files, queues, shapes and text."""

from polygraphy import mod
from polygraphy.util.util._files import *
from polygraphy.util.util._files import _get_num_bytes, is_file_like, warn_if_wrong_mode
from polygraphy.util.util._names import *
from polygraphy.util.util._names import apply_repr, handle_special_repr
from polygraphy.util.util._queues import *
from polygraphy.util.util._queues import (
    PIPE_MAX_SEND_BYTES,
    Compressed,
    compress,
    decompress,
    is_compressed,
    receive_on_queue,
    send_on_queue,
)
from polygraphy.util.util._shapes import *
from polygraphy.util.util._shapes import is_dimension_dynamic, num_dynamic_dimensions
from polygraphy.util.util._values import *

mod.export_parts()
