// Options of metrics: their descriptors, and the given values. The command line, scripts and
// generated Python use the descriptors.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "base/ordered_map.h"

namespace polygraphy {

class ImageDistance;

// Values per output name; "" is the default entry.
template <typename T>
using PerOutput = OrderedMap<T>;

// A number as the user gave it.
struct GivenNumber {
  double value = 0;
  // Python's text of the typed number if it differs from the float's repr: "1", which stays an int
  // in Python, for 1.0. Files have this text, too.
  std::string typed;

  GivenNumber() = default;
  GivenNumber(double number, std::string text = {}) : value(number), typed(std::move(text)) {}
  std::string repr() const;
};

struct MetricOption {
  enum class Type : uint8_t {
    kNumber,   // a number per output: "1e-3 logits:1e-2"
    kInteger,  // a whole number per output
    kText,     // one of `choices` per output
    kFolder,   // a path
    kFlag,
  };
  std::string_view name;   // "l2_threshold": the keyword in Python, too
  std::string_view flags;  // "--l2-threshold --l2-tolerance": the first one counts
  Type type = Type::kNumber;
  std::string_view metavar = {};
  std::string_view help;
  std::string_view choices = {};  // the choices of a kText, separated by blanks
  // The range of numbers, both ends included.
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  // The text "auto", which is NaN, is a number of it, too: the metric finds one.
  bool automatic = false;

  std::string_view flag() const { return flags.substr(0, flags.find(' ')); }
};

// The given values for all metrics. Each metric reads its own options by name.
struct MetricOptions {
  OrderedMap<PerOutput<GivenNumber>> numbers;  // kNumber, kInteger
  OrderedMap<PerOutput<std::string>> texts;
  OrderedMap<std::string> folders;
  OrderedMap<bool> flags;
  bool check_shapes = true;
  bool fail_fast = false;
  std::shared_ptr<ImageDistance> images;  // for perceptual_metrics; null: Python is missing

  // Empty if the option was not given.
  const PerOutput<GivenNumber>& numbers_of(std::string_view option) const;
  const PerOutput<std::string>& texts_of(std::string_view option) const;
  std::string folder(std::string_view option) const;
  bool flag(std::string_view option) const;
};

}  // namespace polygraphy
