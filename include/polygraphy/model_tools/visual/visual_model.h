// A model as the viewer shows it: graphs of nodes and tensors, all of it text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace polygraphy {

struct VisualTensor {
  std::string name = {};   // empty: an optional one that is left out
  std::string type = {};   // "float32"; empty: not known
  std::string shape = {};  // "(1, 'N')"; empty: not known
  std::string note = {};   // what else is known: the memory format in an engine
  bool constant = false;   // an initializer: not drawn, listed with the nodes that read it
};

struct VisualNode {
  // Inputs, outputs and captures (tensors of an outer graph) of a graph have one tensor.
  enum class Kind : uint8_t { kNode, kInput, kOutput, kCapture };

  Kind kind = Kind::kNode;
  std::string id = {};  // unique in the model: "node_0", "input_1", "graph_2/node_0"
  std::string name = {};
  std::string op = {};                                               // of an input "Graph Input"
  std::vector<size_t> inputs = {}, outputs = {};                     // in VisualGraph::tensors
  std::vector<std::pair<std::string, std::string>> attributes = {};  // name and value
  std::vector<std::pair<std::string, size_t>> subgraphs = {};  // attribute, in VisualModel::graphs
  bool centre = false;  // of a neighbourhood: what was asked for
};

struct VisualGraph {
  std::string title = {};
  std::vector<VisualTensor> tensors = {};
  std::vector<VisualNode> nodes = {};
};

struct VisualModel {
  std::string title = {};
  std::vector<VisualGraph> graphs =
      {};  // the main graph, then subgraphs; of an engine one per profile
};

// The node as JSON, with its tensors: {"node_id": …, "name": …, "op_type": …, "inputs": […], …}.
std::string node_json(const VisualModel& model, const VisualGraph& graph, const VisualNode& node);

}  // namespace polygraphy
