// Which candidates of a reduction are equal.
#pragma once

#include <cstddef>
#include <unordered_map>

#include "base/fingerprint.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Fingerprints of models made of one model: equal for candidates whose files are equal, names
// included, since checks may go by names. Weights of the base model are known by their places in
// it, so that they are not read; other large values by their contents.
class ModelFingerprints {
 public:
  // O(structure). The model must outlive this.
  explicit ModelFingerprints(const graphsurgeon::Model& base);

  // O(structure), and the bytes of values that are not of the base model.
  Fingerprint of(const graphsurgeon::Model& candidate) const;
  // Of a model with the contents of all its weights, which are read: the same in another run.
  static Fingerprint with_contents(const graphsurgeon::Model& model);

 private:
  std::unordered_map<const graphsurgeon::Payload*, size_t> places_;
};

}  // namespace polygraphy
