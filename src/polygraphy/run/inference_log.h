// What is said while models run: the same lines in both execution orders.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/arrays/tensor_map.h"
#include "base/log.h"

namespace polygraphy {

class InferenceLog {
 public:
  explicit InferenceLog(Logger& log) : log_(log) {}

  void activating(std::string_view runner);
  void warming_up(std::string_view runner, int64_t runs);
  void warmed_up(std::string_view runner, int64_t runs);
  // Names, types and shapes, once for each distinct text. `heading`: the runner, or the iteration.
  void inputs(std::string_view heading, const TensorMap& feeds);
  void outputs(std::string_view runner, const TensorMap& outputs);
  // Values, for those who ask for them with -vv.
  void feeding(std::string_view runner, const TensorMap& feeds);
  void received(std::string_view runner, const TensorMap& outputs, double seconds);
  // Nothing when there were no iterations.
  void completed(std::string_view runner, int64_t iterations, double seconds);

 private:
  Logger& log_;
};

}  // namespace polygraphy
