// Candidates that cannot be right are not worth a check: they would fail for reasons of their own.
#pragma once

#include <cstddef>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Shapes follow from the inputs again: those that the model declares behind them may hold no more.
// What nodes of unknown operators make keeps what is declared, and so do inputs of bodies. Returns
// on how many nodes inference failed, and how many tensors came out with nothing in them. O(model).
size_t infer_anew(graphsurgeon::Model& model);

// Holds candidates against the model that they are made of, which fails and may well be ill-formed
// itself.
class WellFormed {
 public:
  explicit WellFormed(const graphsurgeon::Model& failing);
  // infer_anew(), and whether the standard's checker and inference find no more fault with the
  // candidate than with the model. O(model).
  bool accepts(graphsurgeon::Model& candidate) const;
  // Whether inference finds fault with the model itself.
  bool is_contradiction() const { return problems_ > 0; }

 private:
  size_t problems_;
  bool has_complaint_;
};

}  // namespace polygraphy
