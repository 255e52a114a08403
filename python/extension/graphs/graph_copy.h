// Copies of graphs of the package onnx_graphsurgeon, object by object.
#pragma once

#include "graphs/graph_classes.h"

namespace native {

// A Graph (Function of a function) with new nodes, tensors and subgraphs of the package's classes;
// values and attributes other than graphs are shared. Names identify tensors. `tensors`: a dict of
// names to tensors that replace copies if the graph itself does not produce one of that name; may
// be None. O(graph).
PyRef copy_graph(PyObject* graph, PyObject* tensors);

}  // namespace native
