"""Options of running models and of comparing their outputs."""

from polygraphy import mod
from polygraphy.tools.args.comparator.comparator._comparison import *
from polygraphy.tools.args.comparator.comparator._inference import *

mod.export_parts()
