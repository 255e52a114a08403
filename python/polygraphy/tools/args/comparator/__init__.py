from polygraphy.tools.args.comparator.comparator import *
from polygraphy.tools.args.comparator.compare import *
from polygraphy.tools.args.comparator.data_loader import *
from polygraphy.tools.args.comparator.postprocess import *
