from polygraphy.tools.args.backend import *
from polygraphy.tools.args.comparator import *
from polygraphy.tools.args.logger import *
from polygraphy.tools.args.model import *
