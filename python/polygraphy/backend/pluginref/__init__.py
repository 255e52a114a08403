from polygraphy.backend.pluginref.runner import *
