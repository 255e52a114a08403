// Detects malformed candidates, which would fail a check for unrelated reasons.
#pragma once

#include <cstddef>
#include <optional>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Shapes follow from the inputs again: those that the model declares behind them may hold no more.
// Results of unknown operators keep their declarations, and so do inputs of bodies. Returns the
// number of nodes on which inference failed, and of tensors without elements. O(model).
size_t infer_anew(graphsurgeon::Model& model);

// Holds candidates against the model that they are made of, which fails and may well be ill-formed
// itself.
class WellFormed {
 public:
  // The model must outlive this. It is looked at when that is first needed.
  explicit WellFormed(const graphsurgeon::Model& failing) : failing_(failing) {}
  // infer_anew(), and whether the standard's checker and inference find no more fault with the
  // candidate than with the model. O(model).
  bool accepts(graphsurgeon::Model& candidate);
  // Whether inference finds fault with the model itself.
  bool is_contradiction();

 private:
  void look();

  const graphsurgeon::Model& failing_;
  std::optional<size_t> problems_;
  bool has_complaint_ = false;
};

}  // namespace polygraphy
