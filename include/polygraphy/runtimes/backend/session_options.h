// Options of a back end for loading a model.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

// Options of a back end as the user typed them: key (pgb_option_spec.key) and values, in order.
using BackendOptions = std::vector<std::pair<std::string, std::vector<std::string>>>;

// Returns the next calibration batch for these inputs; nullopt after the last. `first`: restart.
// `abandoned`, unless null, returns true once the builder no longer needs the batch, which ends a
// long wait with Interrupted. Throws Error.
using CalibrationBatch = std::function<std::optional<ValueMap>(
    const Metadata& inputs, bool first, const std::function<bool()>& abandoned)>;

// pgb_session_options.
struct SessionOptions {
  BackendOptions options = {};
  bool profile = false;     // times each node, for BackendSession::profile()
  bool single_run = false;  // few inferences: return memory early, let waiting threads sleep
  bool verbatim = false;    // messages are the library's, unmodified
  Metadata inputs = {};     // user-given shapes of inputs (--input-shapes)
  CalibrationBatch calibration = {};  // for int8; null: no calibration data
};

// The back end refuses the value of an option. The message is complete without the model's name.
class OptionError : public Error {
 public:
  using Error::Error;
};

}  // namespace polygraphy
