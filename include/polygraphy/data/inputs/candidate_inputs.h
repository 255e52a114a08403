// Values for the inputs of candidates, which are parts of a larger model.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

// An input of a candidate has no values and cannot be generated, so the candidate cannot be judged.
class CannotFeed : public Error {
 public:
  using Error::Error;
};

// Returns values for a candidate's inputs on one of the user's samples, with an entry for every
// input that needs one; nullopt after the last sample. Parallel checks call it from several
// threads, each with a separate logger. Throws CannotFeed, Error, Interrupted.
using CandidateInputs =
    std::function<std::optional<ValueMap>(const Metadata& inputs, int64_t sample, Logger& log)>;

}  // namespace polygraphy
