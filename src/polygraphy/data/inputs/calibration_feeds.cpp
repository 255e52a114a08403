#include "polygraphy/data/inputs/calibration_feeds.h"

#include <fmt/format.h>

#include <vector>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "numerics/non_finite.h"

namespace polygraphy {
namespace {

// 100, 1000, 10000 …: a loader without an end is seen at these.
bool is_milestone(int64_t count) {
  while (count > 100 && count % 10 == 0) count /= 10;
  return count == 100;
}

std::string names_of(const auto& values) {
  std::vector<std::string> names;
  for (const auto& each : values) names.push_back(each.first);
  return py_list_repr(names);
}

}  // namespace

std::optional<ValueMap> CalibrationFeeds::next(const Metadata& inputs, bool first) {
  if (first || !feeds_) begin();
  std::optional<ValueMap> feed;
  ++count_;
  try {
    feed = feeds_->next(inputs);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("Calibration sample {}: {}", count_, error.what()),
                error.hint());
  }
  if (feed) {
    if (count_ == 1) warn_of_random();
    check(*feed, inputs);
    tell_progress();
  } else if (--count_ == 0) {
    throw nothing();
  } else {
    log_.verbose(log_modules::kDataLoader, fmt::format("Calibration samples in total: {}", count_));
  }
  return feed;
}

Error CalibrationFeeds::nothing() const {
  if (feeds_->generates())
    return Error(kNoIterationsToCalibrate, "No calibration data: 0 iterations");
  return Error("No calibration data: the data loader returned no inputs",
               "It must restart whenever its first inputs are requested.");
}

void CalibrationFeeds::begin() {
  feeds_ = open_();
  count_ = 0;
  warned_.clear();
}

void CalibrationFeeds::warn_of_random() {
  if (random_ == Random::kExpected || !feeds_->generates()) return;
  log_.warning(log_modules::kTrtConfig,
               "Calibrating int8 with random inputs, since there is neither a data loader nor a "
               "calibration cache.\nSuch an engine is wrong for real inputs.",
               Once::kYes);
}

std::string CalibrationFeeds::sample() const {
  const std::string place = feeds_->place();
  return fmt::format("Calibration sample {}{}", count_, place.empty() ? "" : " (" + place + ")");
}

void CalibrationFeeds::check(const ValueMap& feed, const Metadata& inputs) {
  for (const auto& [name, wanted] : inputs) {
    const Value* value = feed.find(name);
    if (!value) {
      throw Error(fmt::format("{} has no input {}", sample(), name),
                  fmt::format("The network's inputs are {}, the sample's are {}.", names_of(inputs),
                              names_of(feed)));
    }
    check_input(name, *value, wanted);
  }
  for (const auto& entry : feed) {
    const std::string& name = entry.first;
    if (inputs.contains(name) || !warned_.insert(name).second) continue;
    log_.warning(
        log_modules::kDataLoader,
        fmt::format("{}: ignoring {}, which is not an input of the network. Its inputs: {}",
                    sample(), name, names_of(inputs)));
  }
}

void CalibrationFeeds::check_input(const std::string& name, const Value& value,
                                   const TensorInfo& wanted) {
  const Array* array = value.as_tensor();
  const std::string input = fmt::format("{}: input {}", sample(), name);
  if (!array) throw Error(fmt::format("{} is not a tensor, but {}", input, name_of(value.kind())));
  if (array->dtype() != wanted.dtype) {
    const std::string_view type = name_of(wanted.dtype);
    throw Error(fmt::format("{} is of {}, but the network is calibrated with {}", input,
                            name_of(array->dtype()), type),
                fmt::format("Convert its type, in Python: {}.astype(\"{}\")", name, type));
  }
  const DimList dims(array->shape().begin(), array->shape().end());
  if (wanted.shape && !is_valid_override(array->shape(), *wanted.shape)) {
    throw Error(kCalibrationShape,
                fmt::format("{} has shape {}, but the network is calibrated with {}", input,
                            shape_list_text(dims), shape_list_text(*wanted.shape)),
                "Give samples with the optimum shapes of the last profile.");
  }
  const NonFinite found = non_finite(*array);
  if (!found || !warned_.insert(name).second) return;
  log_.warning(log_modules::kDataLoader, fmt::format("{} has {}: the calibrated scales are wrong.",
                                                     input, found.nan ? "NaN" : "infinite values"));
}

void CalibrationFeeds::tell_progress() {
  log_.log(is_milestone(count_) ? Severity::kInfo : Severity::kVerbose, log_modules::kDataLoader,
           sample());
}

}  // namespace polygraphy
