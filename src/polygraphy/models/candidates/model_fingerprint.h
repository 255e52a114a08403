// Recognises equal candidates of a reduction.
#pragma once

#include <cstddef>
#include <unordered_map>

#include "base/fingerprint.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Fingerprints of models derived from one model: equal for candidates with equal files, including
// names, because checks may use names. Weights of the base model are identified by position and not
// read; other large values by their contents.
class ModelFingerprints {
 public:
  // O(structure). The model must outlive this.
  explicit ModelFingerprints(const graphsurgeon::Model& base);

  // O(structure), and the bytes of values outside of the base model.
  Fingerprint of(const graphsurgeon::Model& candidate) const;
  // Includes the contents of all weights, which it reads: the same in another run.
  static Fingerprint with_contents(const graphsurgeon::Model& model);

 private:
  std::unordered_map<const graphsurgeon::Payload*, size_t> places_;
};

}  // namespace polygraphy
