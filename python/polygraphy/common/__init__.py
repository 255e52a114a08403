from polygraphy.exception import *
from polygraphy.common.struct import *
