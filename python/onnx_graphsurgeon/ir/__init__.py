"""Graphs, functions, nodes and tensors."""
