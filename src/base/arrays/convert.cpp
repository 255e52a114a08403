#include "base/arrays/convert.h"

#include <bit>
#include <cstring>
#include <memory>
#include <string>

#include "base/arrays/element_kernels.h"
#include "base/arrays/float_formats.h"
#include "base/arrays/packing.h"
#include "base/error.h"
#include "base/thread_pool.h"

namespace polygraphy {
namespace {

constexpr int64_t kGrain = int64_t{1} << 18;  // elements that are worth a thread

// Real types only, contiguous and aligned, packed types unpacked.
Array convert_unpacked(const Array& array, DataType from_type, DataType to_type) {
  const DataType result_type = is_packed(to_type) ? DataType::kUint8 : to_type;
  Array result = Array::uninitialized(result_type, array.shape());
  std::byte* to = result.mutable_data();
  const std::byte* from = array.data();
  parallel_for(array.size(), kGrain, [&](int64_t begin, int64_t end) {
    const std::byte* input = from + begin * unpacked_size(from_type);
    std::byte* output = to + begin * unpacked_size(to_type);
    const bool by_table = unpacked_size(from_type) == 1 && end - begin >= 1024;
    (by_table ? convert_by_table : convert_elements)(from_type, input, end - begin, to_type,
                                                     output);
  });
  return result;
}

DataType part_of(DataType complex) {
  return complex == DataType::kComplex64 ? DataType::kFloat32 : DataType::kFloat64;
}

// The same bytes as real numbers: one more axis of two.
Array parts(const Array& complex) {
  Shape shape = complex.shape();
  shape.push_back(2);
  return Array::view(part_of(complex.dtype()), std::move(shape), complex.data(),
                     std::make_shared<const Array>(complex));
}

Array convert_complex(const Array& array, DataType type) {
  if (kind_of(array.dtype()) != Kind::kComplex) {
    const Array real = convert(array, part_of(type));
    Array result = Array::zeros(type, array.shape());
    const auto item = static_cast<size_t>(bit_width(part_of(type)) / 8);
    std::byte* to = result.mutable_data();
    for (size_t i = 0; i < static_cast<size_t>(real.size()); ++i) {
      std::memcpy(to + 2 * item * i, real.data() + item * i, item);
    }
    return result;
  }
  const Array aligned = array.contiguous_aligned();
  if (kind_of(type) == Kind::kComplex) {
    const Array converted = convert(parts(aligned), part_of(type));
    return Array::view(type, array.shape(), converted.data(),
                       std::make_shared<const Array>(converted));
  }
  const int64_t item = bit_width(part_of(array.dtype())) / 8;
  if (type == DataType::kBool) {
    const Array either = convert(parts(aligned), DataType::kBool);
    Array result = Array::uninitialized(DataType::kBool, array.shape());
    const auto flags = either.as<uint8_t>();
    auto* to = reinterpret_cast<uint8_t*>(result.mutable_data());
    for (size_t i = 0; i < static_cast<size_t>(array.size()); ++i) {
      to[i] = flags[2 * i] | flags[2 * i + 1];
    }
    return result;
  }
  const Array real = Array::strided(part_of(array.dtype()), {array.size()}, {2 * item},
                                    aligned.data(), std::make_shared<const Array>(aligned));
  return convert(real.clone(), type).reshaped(array.shape());
}

}  // namespace

float float16_to_float(uint16_t bits) {
  return formats::float16_to_float(bits);
}
uint16_t float_to_float16(float value) {
  return formats::float_to_float16(value);
}
uint16_t double_to_float16(double value) {
  return formats::double_to_float16(value);
}
float bfloat16_to_float(uint16_t bits) {
  return formats::bfloat16_to_float(bits);
}
uint16_t float_to_bfloat16(float value) {
  return formats::float_to_bfloat16(value);
}

double decode_double(DataType type, uint64_t bits) {
  // A shortcut for the most frequent type.
  if (type == DataType::kFloat64) return std::bit_cast<double>(bits);
  if (type == DataType::kFloat32) {
    return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
  double value = 0;
  convert_elements(type, reinterpret_cast<const std::byte*>(&bits), 1, DataType::kFloat64,
                   reinterpret_cast<std::byte*>(&value));
  return value;
}

uint64_t encode_double(DataType type, double value) {
  uint64_t bits = 0;
  convert_elements(DataType::kFloat64, reinterpret_cast<const std::byte*>(&value), 1, type,
                   reinterpret_cast<std::byte*>(&bits));
  return bits;
}

int64_t decode_int64(DataType type, uint64_t bits) {
  int64_t value = 0;
  convert_elements(type, reinterpret_cast<const std::byte*>(&bits), 1, DataType::kInt64,
                   reinterpret_cast<std::byte*>(&value));
  return value;
}

Array convert(const Array& array, DataType type) {
  const DataType from = array.dtype();
  if (from == type) return array;
  const auto is_number = [](DataType t) { return is_known(t) && t != DataType::kString; };
  if (!is_number(from) || !is_number(type)) {
    const auto shown = [](DataType t) {
      return is_known(t) ? std::string(name_of(t))
                         : "number " + std::to_string(static_cast<int32_t>(t));
    };
    throw Error("cannot convert elements of type " + shown(from) + " to type " + shown(type));
  }
  if (kind_of(from) == Kind::kComplex || kind_of(type) == Kind::kComplex) {
    return convert_complex(array, type);
  }
  const Array unpacked = is_packed(from) ? unpack(array) : array.contiguous_aligned();
  Array result = convert_unpacked(unpacked, from, type);
  return is_packed(type) ? pack(result, type) : result;
}

}  // namespace polygraphy
