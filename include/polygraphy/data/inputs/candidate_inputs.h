// Values for the inputs of models that were made of another one: of candidates of a reduction.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

// There are no values for an input of a candidate, and none can be generated: nothing can be said
// of how it runs.
class CannotFeed : public Error {
 public:
  using Error::Error;
};

// Values for a candidate's inputs, on one of the user's samples; nullopt behind the last. There is
// an entry for every input that needs one. Called from several threads when checks run side by
// side, each with a logger of its own. Throws CannotFeed, Error, Interrupted.
using CandidateInputs =
    std::function<std::optional<ValueMap>(const Metadata& inputs, int64_t sample, Logger& log)>;

}  // namespace polygraphy
