"""Operations on arrays of any framework: NumPy, PyTorch, device memory.

The first argument decides about the framework; the other arrays of an operation are converted to it.
Each function is a table of implementations by framework, made callable by `dispatch`.
"""

from polygraphy import mod
from polygraphy.util.array._dispatch import *
from polygraphy.util.array._dispatch import dispatch
from polygraphy.util.array._elements import *
from polygraphy.util.array._memory import *
from polygraphy.util.array._statistics import *

mod.export_parts()
