"""Outputs of runners, and results of comparing them."""

from polygraphy import mod
from polygraphy.comparator.struct._accuracy import *
from polygraphy.comparator.struct._lazy_array import LazyArray
from polygraphy.comparator.struct._outputs import *

mod.export_parts()
