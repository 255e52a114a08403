// The changes between two models, as plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphsurgeon/diff/weight_diff.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// What does not count is neither compared nor read.
struct DiffOptions {
  // Of nodes, tensors and graphs. Where they do not count, they do not decide either which node is
  // which: structure alone does, and inputs and outputs go by their position.
  bool names = true;
  bool weights = true;   // values of initializers, and of tensors in attributes
  bool metadata = true;  // producer, domain, model version, metadata_props, what is not known here
  bool docs = true;      // doc strings
  bool versions = true;  // IR version, opset imports
  WeightTolerances tolerances = {};
  // False: nothing is read. Values that are not known to be the same ones (the same bytes of the
  // same file) then count as different, without figures.
  bool read_weights = true;
};

// One thing that has a value on one side or both.
struct Change {
  std::string what;  // "op", "attribute 'axis'", "input 1", "opset import 'ai.onnx.ml'"
  std::optional<std::string> before, after;  // nullopt: not there
};

enum class DiffState : uint8_t { kAdded, kRemoved, kChanged };

// A node, an input or output of a graph, an initializer, a function.
struct DiffItem {
  DiffState state = DiffState::kChanged;
  std::string name;     // in B if it is there, else in A
  std::string op;       // of nodes: the same
  std::string details;  // what was added or removed: type of a value, inputs and outputs of a node
  std::optional<size_t> before, after;  // its place in the list of A, of B
  std::vector<Change> changes;
  std::optional<WeightDiff> values;  // of initializers whose values differ
};

// The main graph, a nested one or the body of a function. Each list in the order of B; what B does
// not have stands last, in the order of A.
struct GraphDiff {
  std::string path;  // "" for the main graph; "if0.then_branch", "function 'local.f'"
  std::vector<Change> changes;
  std::vector<DiffItem> inputs, outputs, nodes, initializers;

  bool equal() const {
    return changes.empty() && inputs.empty() && outputs.empty() && nodes.empty() &&
           initializers.empty();
  }
};

struct DiffReport {
  std::vector<Change> model;
  std::vector<DiffItem> functions;  // added and removed
  std::vector<GraphDiff> graphs;    // that differ; outer ones before inner ones

  bool equal() const { return model.empty() && functions.empty() && graphs.empty(); }
};

// Nodes are aligned by their names where these are unique and the operators agree, then by the
// tensors that they produce, then by structure. Order of nodes, of initializers and
// of attributes in the file does not count; nor do types of inner tensors, which follow from the
// rest. A node whose input has another producer is changed where the tensor's name is another, or
// where names do not count.
//
// O(nodes · log nodes); iterative. Weights are read block by block, and only where they are not
// known to be the same bytes. Throws Error for weights that cannot be read.
DiffReport diff(const Model& a, const Model& b, const DiffOptions& options = {});

}  // namespace graphsurgeon
