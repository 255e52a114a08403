"""Outputs of runners, and results of comparing them."""

from polygraphy import mod
from polygraphy.comparator.struct._accuracy import *
from polygraphy.comparator.struct._outputs import *
from polygraphy.comparator.struct._outputs import LazyArray

mod.export_parts()
