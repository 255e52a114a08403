#include "polygraphy/data/inputs/drawn_arrays.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "base/arrays/convert.h"
#include "base/arrays/packing.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "polygraphy/data/inputs/data_loader_errors.h"

namespace polygraphy {
namespace {

using Range = std::pair<double, double>;
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

constexpr int64_t kBlock = 4096;  // elements drawn at a time; a multiple of 8 for packed types

// The elements as unsigned numbers of the type's width, one after the other.
template <typename T, typename Fill>
void fill_as(NumpyRandom& random, Fill fill, Array& array, Wide low, Wide high) {
  auto* out = reinterpret_cast<T*>(array.mutable_data());
  (random.*fill)(std::span<T>(out, static_cast<size_t>(array.size())), static_cast<T>(low),
                 static_cast<T>(high - low));
}

// Uniform numbers in double precision, handed to `take` block by block with the index of the first.
template <typename Take>
void draw_floats(NumpyRandom& random, int64_t count, Range range, Take take) {
  double scale = range.second - range.first, shift = range.first;
  if (std::isinf(range.first)) {
    scale = range.first;
    shift = 0;
  }
  if (std::isinf(range.second)) scale = range.second;
  std::vector<double> block(static_cast<size_t>(std::min(count, kBlock)));
  for (int64_t start = 0; start < count; start += kBlock) {
    const std::span<double> part(block.data(),
                                 static_cast<size_t>(std::min(kBlock, count - start)));
    random.fill_uniform(part);
    for (double& value : part) value = value * scale + shift;
    take(start, part);
  }
}

Array draw_strings(NumpyRandom& random, const Shape& shape, Range range) {
  std::vector<std::string> texts;
  draw_floats(random, element_count(shape), range, [&](int64_t, std::span<const double> values) {
    for (double value : values) texts.push_back(py_float_repr(value));
  });
  return Array::from_strings(shape, std::move(texts));
}

// Real and imaginary part of an element are drawn one after the other.
template <typename Real>
Array draw_complex(NumpyRandom& random, DataType type, const Shape& shape, Range range) {
  Array array = Array::uninitialized(type, shape);
  auto* out = reinterpret_cast<Real*>(array.mutable_data());
  draw_floats(random, 2 * array.size(), range, [&](int64_t start, std::span<const double> values) {
    for (double value : values) out[start++] = static_cast<Real>(value);
  });
  return array;
}

Array draw_reals(NumpyRandom& random, DataType type, const Shape& shape, Range range) {
  Array array = Array::uninitialized(type, shape);
  draw_floats(random, array.size(), range, [&](int64_t start, std::span<const double> values) {
    const Array doubles = Array::view(DataType::kFloat64, {static_cast<int64_t>(values.size())},
                                      values.data(), nullptr);
    const Array converted = convert(doubles, type);
    std::memcpy(array.mutable_data() + start * bit_width(type) / 8, converted.data(),
                static_cast<size_t>(converted.nbytes()));
  });
  return array;
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

Array draw_integers(NumpyRandom& random, DataType type, const Shape& shape, Wide low, Wide high) {
  if (is_packed(type)) {
    const DataType wide = kind_of(type) == Kind::kSigned ? DataType::kInt8 : DataType::kUint8;
    return pack(draw_integers(random, wide, shape, low, high), type);
  }
  Array array = Array::uninitialized(type, shape);
  switch (bit_width(type)) {
    case 8:
      if (type == DataType::kBool) {
        fill_as<uint8_t>(random, &NumpyRandom::fill_bool, array, low, high);
      } else {
        fill_as<uint8_t>(random, &NumpyRandom::fill_uint8, array, low, high);
      }
      break;
    case 16:
      fill_as<uint16_t>(random, &NumpyRandom::fill_uint16, array, low, high);
      break;
    case 32:
      fill_as<uint32_t>(random, &NumpyRandom::fill_uint32, array, low, high);
      break;
    default:
      fill_as<uint64_t>(random, &NumpyRandom::fill_uint64, array, low, high);
      break;
  }
  return array;
}

Array draw_numbers(NumpyRandom& random, DataType type, const Shape& shape, Range range) {
  switch (type) {
    case DataType::kString:
      return draw_strings(random, shape, range);
    case DataType::kComplex64:
      return draw_complex<float>(random, type, shape, range);
    case DataType::kComplex128:
      return draw_complex<double>(random, type, shape, range);
    default:
      return draw_reals(random, type, shape, range);
  }
}

}  // namespace polygraphy
