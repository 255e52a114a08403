#include "polygraphy/runtimes/backend/calibration_batches.h"

#include <optional>

#include "polygraphy/runtimes/backend/raw_forms.h"

namespace polygraphy {

void CalibrationBatches::offer(pgb_session_options& options) {
  if (!next_) return;
  options.batches = this;
  options.next_batch = [](void* context, int32_t first, const pgb_tensor_info* inputs,
                          size_t input_count, const pgb_named_value** batch,
                          size_t* value_count) -> int {
    auto& self = *static_cast<CalibrationBatches*>(context);
    // No exception may cross the plugin.
    try {
      if (!self.next(first != 0, inputs, input_count)) return 0;
      *batch = self.raw_.data();
      *value_count = self.raw_.size();
      return 1;
    } catch (...) {
      self.failure_ = std::current_exception();
      return -1;
    }
  };
}

void CalibrationBatches::rethrow_failure() {
  if (!failure_) return;
  try {
    std::rethrow_exception(std::exchange(failure_, nullptr));
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    throw CalibrationFailure(error);
  }
}

bool CalibrationBatches::next(bool first, const pgb_tensor_info* inputs, size_t input_count) {
  Metadata wanted;
  for (size_t i = 0; i < input_count; ++i) {
    ValueInfo input = to_value_info(inputs[i]);
    wanted.set(std::move(input.name), std::move(input.info));
  }
  raw_.clear();
  values_.reset();
  std::optional<ValueMap> feed = next_(wanted, first, nullptr);
  if (!feed) return false;
  feed_ = std::move(*feed);
  values_ = std::make_unique<FeedValues>();
  for (const auto& [name, value] : feed_) {
    if (!value.is_absent()) raw_.push_back({name.c_str(), &values_->add(value)});
  }
  return true;
}

}  // namespace polygraphy
