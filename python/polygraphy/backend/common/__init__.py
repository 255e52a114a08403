from polygraphy.backend.common.loader import *
