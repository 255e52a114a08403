from polygraphy.backend.pyt.runner import *
