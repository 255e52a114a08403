// The changes between two models, as plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graphsurgeon/diff/weight_diff.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Selects the differences that count; nothing else is compared or read.
struct DiffOptions {
  // Names of nodes, tensors and graphs. If they do not count, structure alone matches nodes, and
  // position matches inputs and outputs.
  bool names = true;
  bool weights = true;   // values of initializers, and of tensors in attributes
  bool metadata = true;  // producer, domain, model version, metadata_props, unknown fields
  bool docs = true;      // doc strings
  bool versions = true;  // IR version, opset imports
  WeightTolerances tolerances = {};
  // False: no values are read. Values count as different, without figures, unless both sides are
  // the same bytes of the same file.
  bool read_weights = true;
  bool partners = false;  // fills in DiffReport::partners and tensors
};

// A property with a value on one side or both.
struct Change {
  std::string what;  // "op", "attribute 'axis'", "input 1", "opset import 'ai.onnx.ml'"
  std::optional<std::string> before, after;  // nullopt: absent
};

enum class DiffState : uint8_t { kAdded, kRemoved, kChanged };

// A node, an input or output of a graph, an initializer, a function.
struct DiffItem {
  DiffState state = DiffState::kChanged;
  std::string name;  // in B if it is there, else in A
  std::string op;    // of nodes: the operator in B if it is there, else in A
  // of an added or removed item: the type of a value, inputs and outputs of a node
  std::string details;
  std::optional<size_t> before, after;  // its place in the list of A, of B
  std::vector<Change> changes;
  std::optional<WeightDiff> values;  // of initializers with different values
};

// The main graph, a nested one or the body of a function. Each list is in the order of B; items
// that B lacks come last, in the order of A.
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
  // Names of aligned nodes in A and in B, of all graphs, in the order of B; nodes without a name
  // are left out. Nodes of A without a partner belong to the node of B that computes their results
  // with others: one that an engine fused.
  std::vector<std::pair<std::string, std::string>> partners;
  // Names of inputs, constants and results that are one, likewise.
  std::vector<std::pair<std::string, std::string>> tensors;

  bool equal() const { return model.empty() && functions.empty() && graphs.empty(); }
};

// Nodes are aligned by their names where these are unique and the operators agree, then by the
// tensors that they produce, then by structure. The order of nodes, initializers and attributes in
// the file does not count, nor do types of inner tensors, which follow from the rest. A node is
// changed by another producer of an input if the tensor's name differs, or if names do not count.
//
// O(nodes · log nodes); iterative. Weights are read block by block, and only where they are not
// known to be the same bytes. Throws Error for weights that cannot be read.
DiffReport diff(const Model& a, const Model& b, const DiffOptions& options = {});

}  // namespace graphsurgeon
