#include "polygraphy/data/inputs/drawn_arrays.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/arrays/convert.h"
#include "base/arrays/packing.h"
#include "base/arrays/py_repr.h"

namespace polygraphy {
namespace {

using Range = std::pair<double, double>;
using Wide = __int128;

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
