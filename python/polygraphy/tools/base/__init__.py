from polygraphy.tools.base.tool import *
