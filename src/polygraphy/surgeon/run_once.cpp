#include "polygraphy/surgeon/run_once.h"

#include <fmt/format.h>

#include "base/error.h"
#include "polygraphy/backend/bundled_engine.h"

namespace polygraphy {

TensorMap run_once(BackendSession& session, const TensorMap& feed) {
  TensorMap fitting;
  for (const Port& port : session.inputs()) {
    if (const Array* values = feed.find(port.name)) {
      fitting.set(port.name, *values);
      continue;
    }
    size_t items = 0;
    if (port.kind == PGB_SEQUENCE) {
      const std::string prefix = port.name + '[';
      for (const auto& [name, values] : feed) {
        if (!name.starts_with(prefix)) continue;
        fitting.set(name, values);
        ++items;
      }
    }
    // What an optional holds may be nothing.
    if (items == 0 && port.kind != PGB_OPTIONAL) {
      throw Error(fmt::format("there is no data for its input '{}'", port.name));
    }
  }
  const BundledCrash context("ran the model");
  double seconds = 0;
  return session.infer(fitting, seconds);
}

}  // namespace polygraphy
