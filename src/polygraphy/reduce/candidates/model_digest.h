// Which candidates of a reduction are equal.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Digests of parts of one model: equal for candidates that are the same to whoever reads their
// files, names included, since checks may go by names. Weights of the model are known by their
// places in it, so that they are not read; other great values by their contents.
class ModelDigest {
 public:
  // O(structure). The model must outlive this.
  explicit ModelDigest(const graphsurgeon::Model& base);

  // O(structure), and the bytes of values that are not of the model.
  std::string of(const graphsurgeon::Model& candidate) const;
  // Of the model itself, contents of all its weights included: for whoever has to know it again in
  // another run. Reads them all.
  static std::string with_contents(const graphsurgeon::Model& model);

 private:
  std::unordered_map<const graphsurgeon::Payload*, size_t> places_;
};

}  // namespace polygraphy
