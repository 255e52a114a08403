#include "polygraphy/data/inputs/integer_range.h"

#include <cmath>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "polygraphy/data/inputs/data_loader_errors.h"

namespace polygraphy {
namespace {

using Wide = __int128;

struct Limits {
  Wide low, high;
};

Limits limits_of(DataType type) {
  const int bits = bit_width(type);
  if (kind_of(type) == Kind::kSigned)
    return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
  return {0, (Wide{1} << bits) - 1};
}

std::string wide_text(Wide value) {
  std::string reversed;
  Wide rest = value;
  do {
    reversed += static_cast<char>('0' + (rest < 0 ? -(rest % 10) : rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (value < 0) reversed += '-';
  return {reversed.rbegin(), reversed.rend()};
}

// Python's int(). A double cannot hold the greatest 64-bit numbers: the power of two just above
// stands for them.
Wide to_integer(double value, Wide greatest) {
  const auto integer = static_cast<Wide>(value);
  return integer == greatest + 1 && greatest > (Wide{1} << 53) ? greatest : integer;
}

Limits limits_of_range(DataType type) {
  return type == DataType::kBool ? Limits{0, 1} : limits_of(type);
}

}  // namespace

IntegerRange integer_range(const std::string& name, DataType type,
                           std::pair<double, double> given) {
  if (type == DataType::kBool) {
    const bool low = given.first != 0, high = given.second != 0;
    const auto text = [](bool value) { return std::string(value ? "True" : "False"); };
    return {low, high, "[" + text(low) + ", " + text(high) + "]"};
  }
  if (!std::isfinite(given.first) || !std::isfinite(given.second) || std::abs(given.first) > 1e30 ||
      std::abs(given.second) > 1e30) {
    fail_range(name, "[" + py_float_repr(given.first) + ", " + py_float_repr(given.second) + "]",
               "the bounds exceed the range of " + std::string(name_of(type)) + ".");
  }
  const Wide greatest = limits_of(type).high;
  const Wide low = to_integer(given.first, greatest), high = to_integer(given.second, greatest);
  return {low, high, "[" + wide_text(low) + ", " + wide_text(high) + "]"};
}

void require_held(const std::string& name, DataType type, const IntegerRange& range) {
  if (range.low > range.high)
    fail_range(name, range.text, "the lower bound is greater than the upper one.");
  const Limits limits = limits_of_range(type);
  if (range.low >= limits.low && range.high <= limits.high) return;
  fail_range(name, range.text,
             std::string(name_of(type)) + " holds values from " + wide_text(limits.low) + " to " +
                 wide_text(limits.high) + ".");
}

void fail_range(const std::string& name, const std::string& range, const std::string& why) {
  throw Error(kValueRangeUnsuitable,
              "Input tensor: " + name + " | Cannot generate values in range " + range + ": " + why,
              "Set a range that fits the input's data type.");
}

}  // namespace polygraphy
