// New objects of the package onnx_graphsurgeon, made as its own constructors make them but without
// running Python code: 1e5 nodes take a quarter of a second.
#pragma once

#include <string_view>

#include "graphs/graph_classes.h"
#include "graphsurgeon/ir/payloads/payload.h"

namespace native {

// An OrderedDict, which a node keeps its attributes in.
PyRef new_attrs();
// Every argument is borrowed. The lists of uses are empty.
PyRef new_node(PyObject* op, PyObject* name, PyObject* attrs, PyObject* domain);
PyRef new_variable(PyObject* name, PyObject* dtype, PyObject* shape, PyObject* type);
PyRef new_constant(PyObject* name, PyObject* values, PyObject* data_location,
                   PyObject* export_dtype);
// LazyValues, or SparseValues of a sparse payload. `name`: of the tensor.
PyRef new_lazy_values(graphsurgeon::PayloadPtr payload, std::string_view name);

// A Graph, or with `domain` among its attributes a Function: with the attributes of a dict, and an
// empty graph's others. `functions`: the list that it shares with others.
PyRef new_graph(PyObject* attributes, PyObject* functions);

// An edge: at the end of the node's list and at the end of the tensor's.
void link_input(PyObject* node, PyObject* node_inputs, PyObject* tensor);
void link_output(PyObject* node, PyObject* node_outputs, PyObject* tensor);

// A Graph (Function of a function) with new nodes, tensors and subgraphs of the package's classes;
// values and attributes other than graphs are shared. Names identify tensors. `tensors`: a dict of
// names to tensors that replace copies if the graph itself does not produce one of that name; may
// be None. O(graph).
PyRef copy_graph(PyObject* graph, PyObject* tensors);

}  // namespace native
