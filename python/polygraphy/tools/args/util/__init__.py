from polygraphy.tools.args.util.util import *
