"""Stands in for the Python package polygraphy where it is not installed; user scripts import it.

The tool that runs the script does the arithmetic (comparisons, random inputs).
"""
__version__ = "0.53.6"
