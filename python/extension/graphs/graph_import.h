// A model of the graph library as objects of the package onnx_graphsurgeon.
#pragma once

#include <unordered_map>
#include <vector>

#include "graphs/graph_classes.h"
#include "graphsurgeon/ir/graph.h"

namespace native {

class GraphImport {
 public:
  // `model` outlives this; its tensors are bound to their Python objects while this lives.
  explicit GraphImport(const graphsurgeon::Model& model) : model_(model) {}
  ~GraphImport();
  GraphImport(const GraphImport&) = delete;
  GraphImport& operator=(const GraphImport&) = delete;

  // The main graph with its functions and subgraphs. Inputs that are initializers are constants,
  // and in no list; initializers that nothing uses are left out. O(model); no values are read.
  PyRef run();
  // The same graph, without nodes, inputs and outputs.
  PyRef header_only();
  // Gives a graph without them the nodes, inputs and outputs of the model. After set_header().
  void fill(PyObject* graph);

  // Parts, for changes of a graph that Python has: the object that one is bound to, else a new one.
  // A new node or graph is made once per call.
  PyRef tensor(graphsurgeon::Tensor& tensor);
  PyRef node(graphsurgeon::Node& node);
  PyRef graph(graphsurgeon::Graph& graph);
  // The value of one attribute; null where the package leaves the attribute out.
  PyRef attribute_value(const graphsurgeon::Node& node, const graphsurgeon::Attribute& attribute);
  // Before parts are made: opsets and functions of the graphs that are made.
  void set_header(PyRef opset, PyRef import_domains, PyRef functions);

 private:
  PyRef function(graphsurgeon::Function& function);
  PyRef attrs(const graphsurgeon::Node& node);
  PyRef lists(graphsurgeon::Graph& graph);
  // None for a type that is undefined without being stated so.
  PyRef dtype(polygraphy::DataType type, bool is_stated);

  const graphsurgeon::Model& model_;
  std::vector<graphsurgeon::TensorRef> bound_;  // to strong references
  PyRef opset_, import_domains_, functions_;
  std::unordered_map<int32_t, PyRef> dtypes_;
  std::unordered_map<std::string_view, PyRef> texts_;  // op types, attribute names, domains
  PyRef text(std::string_view interned);
};

// A list of dimensions: int, str or None each. None for an unknown rank.
PyRef shape_to_python(const std::optional<graphsurgeon::DimList>& shape);

}  // namespace native
