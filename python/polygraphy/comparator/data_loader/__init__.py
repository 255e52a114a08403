"""Input data."""

from polygraphy import mod
from polygraphy.comparator.data_loader._feeds import *
from polygraphy.comparator.data_loader._loader import *
from polygraphy.comparator.data_loader._loader import VALID_ARRAY_MODULES, ArraySampler

mod.export_parts()
