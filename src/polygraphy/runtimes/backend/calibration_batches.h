// Feeds as the batches that a plugin calibrates with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "polygraphy/backend.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/runtimes/backend/session_options.h"
#include "polygraphy/runtimes/backend/values.h"

namespace polygraphy {

// The user's data could not reach a build that calibrates with them. Neither the model nor the
// library is the cause.
class CalibrationFailure : public Error {
 public:
  explicit CalibrationFailure(const Error& error)
      : Error(error.code(), error.what(), error.hint()) {}
};

// The plugin's side holds a pointer to this while it builds.
class CalibrationBatches {
 public:
  // `next`: SessionOptions::calibration.
  explicit CalibrationBatches(CalibrationBatch next) : next_(std::move(next)) {}
  CalibrationBatches(const CalibrationBatches&) = delete;
  CalibrationBatches& operator=(const CalibrationBatches&) = delete;

  // Nothing, where there is nothing to calibrate with.
  void offer(pgb_session_options& options);
  // Throws the error that kept a batch from the plugin, once: CalibrationFailure, Interrupted.
  void rethrow_failure();

 private:
  // pgb_batch_fn, which throws.
  bool next(bool first, const pgb_tensor_info* inputs, size_t input_count);

  CalibrationBatch next_;
  ValueMap feed_;  // the last batch, and its forms
  std::unique_ptr<FeedValues> values_;
  std::vector<pgb_named_value> raw_;
  std::exception_ptr failure_;
};

}  // namespace polygraphy
