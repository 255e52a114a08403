// How a model is loaded by a back end.
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

// Options of a back end as typed: key (pgb_option_spec.key) and values, in order.
using BackendOptions = std::vector<std::pair<std::string, std::vector<std::string>>>;

// The next batch to calibrate with, for these inputs; nullopt after the last. `first`: begin anew.
// `abandoned`, unless it is null: whether nobody waits for it any more, which ends a long wait with
// Interrupted. Throws Error.
using CalibrationBatch = std::function<std::optional<ValueMap>(
    const Metadata& inputs, bool first, const std::function<bool()>& abandoned)>;

// pgb_session_options.
struct SessionOptions {
  BackendOptions options = {};
  bool profile = false;     // times each node, for BackendSession::profile()
  bool single_run = false;  // runs a few times at most: memory goes back, waiting threads sleep
  bool verbatim = false;    // messages are the library's own
  Metadata inputs = {};     // what is said of the model's inputs (--input-shapes)
  CalibrationBatch calibration = {};  // of int8; null: there is nothing to calibrate with
};

// A value of an option that the back end refuses. The message is complete without the model's name.
class OptionError : public Error {
 public:
  using Error::Error;
};

}  // namespace polygraphy
