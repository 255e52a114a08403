// Objects of the package onnx_graphsurgeon as a model of the graph library.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "graphs/graph_classes.h"
#include "graphsurgeon/ir/graph.h"

namespace native {

// How much of the objects is read. Structure: nodes, edges, names and subgraphs; every constant has
// a placeholder for its values, attributes are left out.
enum class Reading : bool { kStructure, kEverything };

// For export: lists the constants of a graph as initializers and the typed variables as value_info,
// in the order of the original's exporter. False: two nodes or two tensors share a name. O(graph).
bool list_tensors(graphsurgeon::Graph& graph);

class GraphSnapshot {
 public:
  // `graph`: a Graph or Function. Nodes, tensors and graphs that several refer to are one object
  // each, as in Python. Holds references to all objects that it read. O(read objects). Throws
  // PythonError for objects other than nodes, tensors, texts …, and the exceptions of the package's
  // converters.
  GraphSnapshot(PyObject* graph, Reading reading);
  ~GraphSnapshot();
  GraphSnapshot(const GraphSnapshot&) = delete;
  GraphSnapshot& operator=(const GraphSnapshot&) = delete;

  // Its graph is made from Python's, its functions from that one's.
  graphsurgeon::Model& model() { return model_; }
  // The Python object that an object of the model was made from; null for later objects.
  static PyObject* source_of(const graphsurgeon::Object& object) {
    return static_cast<PyObject*>(object.binding);
  }

  // The same of all graphs.
  bool list_tensors();

  // The state of a node when it was read, for comparison with the model later.
  struct ReadNode {
    graphsurgeon::NodeRef node;
    std::vector<graphsurgeon::TensorRef> inputs, outputs;
    std::vector<graphsurgeon::Attribute> attributes;
    std::string_view op, name;
  };
  struct ReadTensor {
    graphsurgeon::TensorRef tensor;
    graphsurgeon::PayloadPtr values;  // null: a variable
    std::string_view name;
  };
  struct ReadGraph {
    graphsurgeon::GraphRef graph;
    std::vector<graphsurgeon::NodeRef> nodes;
    std::vector<graphsurgeon::TensorRef> inputs, outputs;
  };
  const std::vector<ReadNode>& nodes() const { return nodes_; }
  const std::vector<ReadTensor>& tensors() const { return tensors_; }
  const std::vector<ReadGraph>& graphs() const { return graphs_; }
  bool reads_attributes() const { return reading_ == Reading::kEverything; }
  // Some payload is a view of an array that belongs to the user.
  bool borrows_arrays() const { return borrows_arrays_; }

 private:
  void read_header(PyObject* graph);
  graphsurgeon::GraphRef read_graph(PyObject* object);
  graphsurgeon::FunctionRef read_function(PyObject* object);
  void read_lists(PyObject* object, graphsurgeon::GraphRef graph);
  graphsurgeon::NodeRef read_node(PyObject* object);
  void read_attributes(PyObject* attrs, graphsurgeon::Node& node);
  graphsurgeon::Attribute read_attribute(std::string_view name, PyObject* value);
  bool read_list(PyObject* values, graphsurgeon::Attribute& attribute);
  graphsurgeon::TensorRef read_tensor(PyObject* object);
  graphsurgeon::PayloadPtr read_values(PyObject* constant);
  void read_type(PyObject* variable, graphsurgeon::Tensor& tensor);
  graphsurgeon::DimList read_shape(PyObject* shape, std::string_view tensor);
  polygraphy::DataType read_dtype(PyObject* dtype);
  template <typename Item>
  void bind(Item& item, PyObject* source);
  // The item made from an object; null: it was not read yet. Raises TypeError, with the role that
  // the object has here ("a node of a graph"), if it was read as something else.
  template <typename Item>
  Item* known(PyObject* object, const char* role) const;
  // A reference to a Python object that lives as long as this.
  PyObject* keep(PyRef object);

  const Reading reading_;
  graphsurgeon::Model model_;
  graphsurgeon::Store* store_ = nullptr;
  using Read = std::variant<graphsurgeon::Graph*, graphsurgeon::Function*, graphsurgeon::Node*,
                            graphsurgeon::Tensor*>;
  std::unordered_map<PyObject*, Read> objects_;
  std::vector<ReadNode> nodes_;
  std::vector<ReadTensor> tensors_;
  std::vector<ReadGraph> graphs_;
  std::vector<PyRef> kept_;
  std::unordered_map<PyObject*, polygraphy::DataType> dtypes_;
  graphsurgeon::PayloadPtr placeholder_;
  bool borrows_arrays_ = false;
  std::vector<PyObject*> open_;  // graphs that are being read, outer ones first
};

// Applies the changes of an algorithm to a snapshot to the Python objects (graph_update.cpp): order
// and lists of nodes, edges, tensors that became constants or variables, operators and attributes;
// creates objects for new nodes and tensors. Does not touch unchanged objects. O(model).
void update_objects(GraphSnapshot& snapshot);

}  // namespace native
