from polygraphy.cuda.cuda import *
