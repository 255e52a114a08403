"""Stands in for the Python package polygraphy, which is not installed here: what user scripts import from it.

What takes arithmetic (comparisons, random inputs) is done by the tool that runs the script.
"""
__version__ = "0.53.6"
