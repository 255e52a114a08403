from polygraphy.tools.args.backend.pluginref.runner import *
