from polygraphy.tools.args.logger.logger import *
