// Additions to the file of an edited model beyond its lists: initializers for constants that nodes
// use but no graph lists, and imports of the domains of its nodes.
#pragma once

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

class ImplicitInitializers {
 public:
  // Constants that a graph uses (nodes, inputs, outputs), but that neither it nor a graph around it
  // has as initializers. Each belongs to the innermost graph that holds all its uses. Throws Error
  // for one that a node of the model still produces. O(graph); nothing to do for a model that was
  // not edited.
  explicit ImplicitInitializers(const Model& model);

  // In the order of first use.
  std::span<const Tensor* const> of(const Graph& graph) const;

 private:
  std::unordered_map<const Graph*, std::vector<const Tensor*>> constants_;
};

// Domains that nodes of a model or function use and its imports lack, the default one excepted;
// they are taken to be of version 1 (of the model's, for a function). In the order of first use;
// empty for a model that was not edited.
struct MissingImports {
  explicit MissingImports(const Model& model);
  std::vector<OpsetImport> of_model;
  std::unordered_map<const Function*, std::vector<OpsetImport>> of_functions;
};

}  // namespace graphsurgeon
