from polygraphy.backend.base.runner import *
from polygraphy.backend.base.loader import *
