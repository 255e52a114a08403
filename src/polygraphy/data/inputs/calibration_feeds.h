// Feeds that int8 is calibrated with: SessionOptions::calibration.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

// Samples are to be generated, but none at all.
inline constexpr ErrorCode kNoIterationsToCalibrate{"no-iterations-to-calibrate"};
// A sample is not of the shapes that the network is calibrated with.
inline constexpr ErrorCode kCalibrationShape{"calibration-shape"};

class CalibrationFeeds {
 public:
  using Open = std::function<std::unique_ptr<FeedSource>()>;
  enum class Random { kExpected, kWarned };

  // `open` is called whenever a build begins to calibrate. `log` outlives this. `random`: whether a
  // source that generates its feeds is worth a warning.
  CalibrationFeeds(Open open, Random random, Logger& log)
      : open_(std::move(open)), random_(random), log_(log) {}

  // The next sample for inputs of known shapes; nullopt after the last. `first`: restart. Warns of
  // non-finite values, and of inputs that the network lacks. Throws Error, with the number of the
  // sample, if it cannot be read or does not match the inputs.
  std::optional<ValueMap> next(const Metadata& inputs, bool first);
  // The same as a value of SessionOptions::calibration, of a source that never waits for long.
  std::optional<ValueMap> operator()(const Metadata& inputs, bool first,
                                     const std::function<bool()>&) {
    return next(inputs, first);
  }

 private:
  std::string sample() const;  // the last one, for messages
  void begin();
  Error nothing() const;
  void warn_of_random();
  void check(const ValueMap& feed, const Metadata& inputs);
  void check_input(const std::string& name, const Value& value, const TensorInfo& wanted);
  void tell_progress();

  Open open_;
  Random random_;
  Logger& log_;
  std::shared_ptr<FeedSource> feeds_;
  int64_t count_ = 0;
  std::set<std::string> warned_;  // of these names
};

}  // namespace polygraphy
