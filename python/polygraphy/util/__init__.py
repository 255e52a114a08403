from polygraphy.util.util import *
from polygraphy.util import array
