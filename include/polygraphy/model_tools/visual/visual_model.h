// A model as the viewer shows it: graphs of nodes and tensors, all of it text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/record.h"

namespace polygraphy {

// The values of a constant.
struct WeightFigures {
  double min = 0, max = 0, mean = 0, std_dev = 0;  // of the finite ones
  double zeros = 0;                                // their share, from 0 to 1
  int64_t nan = 0, infinite = 0;
  std::vector<int64_t> bins = {};       // of a histogram from min to max; none of few values
  std::vector<std::string> first = {};  // of few values, all
};
constexpr auto record_of(RecordOf<WeightFigures>) {
  using W = WeightFigures;
  return record<W>("WeightFigures", "The values of a constant.",
                   member("min", &W::min, "Of the finite values."),
                   member("max", &W::max, "Of the finite values."),
                   member("mean", &W::mean, "Of the finite values."),
                   member("std_dev", &W::std_dev, "Of the finite values."),
                   member("zeros", &W::zeros, "Share, from 0 to 1."),
                   count("nan", &W::nan, "Values that are NaN.").if_set(),
                   count("infinite", &W::infinite, "Values that are infinite.").if_set(),
                   member("bins", &W::bins, "Counts from min to max; none of few values.").if_set(),
                   member("first", &W::first, "The first values; of few, all."));
}

struct VisualTensor {
  std::string name = {};   // empty: an omitted optional tensor
  std::string type = {};   // "float32"; empty: not known
  std::string shape = {};  // "(1, 'N')"; empty: not known
  std::string note = {};   // further information: the memory format in an engine
  bool constant = false;   // an initializer: not drawn, listed with the nodes that read it
  std::optional<WeightFigures> values = {};  // nullopt: not read
};

struct VisualNode {
  // Inputs, outputs and captures (tensors of an outer graph) of a graph have one tensor.
  enum class Kind : uint8_t { kNode, kInput, kOutput, kCapture };

  Kind kind = Kind::kNode;
  std::string id = {};  // unique in the model: "node_0", "input_1", "graph_2/node_0"
  std::string name = {};
  std::string op = {};  // "Graph Input" for an input
  // In the exported program: "layers.3.mlp" and "/home/me/model.py:12". Empty: not known.
  std::string module = {}, source = {};
  // indices in VisualGraph::tensors
  std::vector<size_t> inputs = {}, outputs = {};
  std::vector<std::pair<std::string, std::string>> attributes = {};  // name and value
  // attribute, index in VisualModel::graphs
  std::vector<std::pair<std::string, size_t>> subgraphs = {};
  bool centre = false;  // the centre of a neighbourhood
};

struct VisualGraph {
  std::string title = {};
  std::vector<VisualTensor> tensors = {};
  std::vector<VisualNode> nodes = {};
};

struct VisualModel {
  std::string title = {};
  std::string path = {};  // as typed: parts can be extracted from it; empty: they cannot
  // the main graph, then subgraphs; for an engine, one graph per profile
  std::vector<VisualGraph> graphs = {};
};

// The node as JSON, with its tensors: {"node_id": …, "name": …, "op_type": …, "inputs": […], …}.
std::string node_json(const VisualModel& model, const VisualGraph& graph, const VisualNode& node);

}  // namespace polygraphy
