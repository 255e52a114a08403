// Selects the outputs of a model.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// The user's selection; members apply in this order.
struct OutputSelection {
  // Names, and patterns (*, ?, []) over the outputs of nodes. {"*"} and {"mark", "all"} select
  // everything. Empty: the model's own outputs.
  std::vector<std::string> names = {};
  // Op types in any letter case: the outputs of all such nodes replace what `names` selected.
  std::vector<std::string> types = {};
  // Names and patterns to remove again.
  std::vector<std::string> exclude = {};
  // Further outputs beside all other selections: tensors, patterns, and nodes by name, which stand
  // for their outputs. A tensor wins over a node of the same name.
  std::vector<std::string> also = {};

  bool empty() const { return names.empty() && types.empty() && exclude.empty() && also.empty(); }
};

// True for the two spellings that select every tensor.
bool selects_all(const std::vector<std::string>& names);

// Names of the outputs of all nodes of the main graph but Constant, in order, each once, without
// omitted outputs.
std::vector<std::string> output_candidates(const graphsurgeon::Graph& graph);

// Replaces the graph's outputs, in the order of selection, without duplicates. A pattern that is
// exactly the name of a tensor means that tensor. Model inputs can be outputs too. Tensors keep
// their types and shapes. Throws Error for unknown names, and if nothing is selected or left. An
// unknown op type logs an error with suggestions and leaves the outputs unchanged. O(nodes +
// selected x patterns).
void select_outputs(graphsurgeon::Model& model, const OutputSelection& selection, Logger& log);

}  // namespace polygraphy
