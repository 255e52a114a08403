// Which tensors of a model are its outputs.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// What the user asked for, in the order in which it is applied.
struct OutputSelection {
  // Names, and patterns (*, ?, []) over the outputs of nodes. {"*"} and {"mark", "all"} select
  // everything. Empty: the model's own outputs.
  std::vector<std::string> names = {};
  // Op types in any letter case: the outputs of all such nodes replace what `names` selected.
  std::vector<std::string> types = {};
  // Names and patterns to take away again.
  std::vector<std::string> exclude = {};
  // In addition to what all the others select: tensors, patterns, and nodes by name, for which
  // their outputs stand. A tensor wins over a node of its name.
  std::vector<std::string> also = {};

  bool empty() const { return names.empty() && types.empty() && exclude.empty() && also.empty(); }
};

// True for the two spellings that select every tensor.
bool selects_all(const std::vector<std::string>& names);

// Names of the outputs of all nodes of the main graph but Constant, in order, each once; outputs
// without a name (optional ones that are not used) are none.
std::vector<std::string> output_candidates(const graphsurgeon::Graph& graph);

// Replaces the graph's outputs. Order is the order of selection, duplicates go. A name with pattern
// characters that a tensor really has means that tensor. Model inputs can be outputs too. What is
// known of type and shape stays with each tensor. Throws Error: unknown names, nothing selected,
// nothing left. An unknown op type is an error line with suggestions and leaves the outputs as they
// were. O(nodes + selected x patterns).
void select_outputs(graphsurgeon::Model& model, const OutputSelection& selection, Logger& log);

}  // namespace polygraphy
