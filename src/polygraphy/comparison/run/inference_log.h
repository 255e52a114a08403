// Log lines of a run: the same in both execution orders.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/arrays/array_map.h"
#include "base/log.h"

namespace polygraphy {

class InferenceLog {
 public:
  explicit InferenceLog(Logger& log) : log_(log) {}

  void activation_started(std::string_view runner);
  void warm_up_started(std::string_view runner, int64_t runs);
  void warm_up_finished(std::string_view runner, int64_t runs);
  // Names, types and shapes, once for each distinct text. `heading`: the runner, or the iteration.
  void input_metadata(std::string_view heading, const ArrayMap& feeds);
  void output_metadata(std::string_view runner, const ArrayMap& outputs);
  // Values, at EXTRA_VERBOSE.
  void inputs_fed(std::string_view runner, const ArrayMap& feeds);
  void outputs_received(std::string_view runner, const ArrayMap& outputs, double seconds);
  // No line without iterations.
  void runner_completed(std::string_view runner, int64_t iterations, double seconds);

 private:
  Logger& log_;
};

}  // namespace polygraphy
