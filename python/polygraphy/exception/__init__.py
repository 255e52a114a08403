from polygraphy.exception.exception import *
