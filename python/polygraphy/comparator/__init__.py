from polygraphy.comparator.comparator import *
from polygraphy.comparator.compare import *
from polygraphy.comparator.data_loader import *
from polygraphy.comparator.postprocess import *
from polygraphy.comparator.struct import *
