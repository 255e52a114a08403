// Feeds that were made or saved for one model, given to another.
#pragma once

#include <string>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

// A feed that does not suit an input of the model.
class FeedError : public Error {
 public:
  FeedError(std::string tensor, const std::string& message, std::string hint = {})
      : Error(message, std::move(hint)), tensor_(std::move(tensor)) {}

  // The input; of an item of a sequence, its name in flat_names.h.
  const std::string& tensor() const noexcept { return tensor_; }

 private:
  std::string tensor_;
};

// The feed by the names, types and shapes of `inputs`: names by exact match, substring or position;
// tensors, and the items of sequences, cast, transposed or reshaped, with a warning; other entries
// dropped. Matching arrays are shared, and so are other values in place of tensors, which the
// runner refuses (Runner::infer). Throws FeedError, with the original's critical text, for values
// that cannot be adapted.
ValueMap adapt_feed(const ValueMap& feed, const Metadata& inputs, Logger& log);

}  // namespace polygraphy
