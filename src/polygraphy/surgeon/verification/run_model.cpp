#include "polygraphy/surgeon/verification/run_model.h"

#include <fmt/format.h>

#include "base/error.h"
#include "polygraphy/backend/bundled_runtime.h"

namespace polygraphy {

TensorMap run_model(BackendSession& session, const TensorMap& feed) {
  TensorMap fitting;
  for (const ValueInfo& input : session.inputs()) {
    // What an optional holds may be nothing.
    if (!add_entries(input.name, feed, fitting) && input.kind != PGB_OPTIONAL) {
      throw Error(fmt::format("there is no data for its input '{}'", input.name));
    }
  }
  const BundledCrash context("ran the model");
  return session.infer(fitting).outputs;
}

}  // namespace polygraphy
