#include "numerics/block_source.h"

#include <cassert>

#include "base/arrays/convert.h"
#include "base/arrays/packing.h"

namespace polygraphy {
namespace {

DataType compute_dtype(DataType type) {
  switch (compute_type_of(type)) {
    case ComputeType::kFloat:
      return DataType::kFloat32;
    case ComputeType::kDouble:
      return DataType::kFloat64;
    case ComputeType::kInt64:
      return DataType::kInt64;
    case ComputeType::kUint64:
      return DataType::kUint64;
  }
  return DataType::kUndefined;
}

}  // namespace

bool has_compute_type(DataType type) {
  const Kind kind = kind_of(type);
  return kind == Kind::kBool || kind == Kind::kSigned || kind == Kind::kUnsigned ||
         kind == Kind::kFloat;
}

ComputeType compute_type_of(DataType type) {
  assert(has_compute_type(type));
  if (type == DataType::kFloat64) return ComputeType::kDouble;
  if (type == DataType::kUint64) return ComputeType::kUint64;
  return is_floating(type) ? ComputeType::kFloat : ComputeType::kInt64;
}

ArraySource::ArraySource(const Array& array)
    : BlockSource(array.dtype(), array.shape()),
      array_(array.contiguous_aligned(static_cast<size_t>((bit_width(array.dtype()) + 7) / 8))) {}

const void* ArraySource::read(int64_t start, int64_t count) {
  assert(start >= 0 && count >= 0 && start + count <= size());
  const int64_t bits = start * bit_width(dtype());
  const std::byte* at = array_.data() + bits / 8;
  if (dtype() == compute_dtype(dtype())) return at;
  if (bits % 8 == 0) {
    block_ = convert(Array::view(dtype(), {count}, at, nullptr), compute_dtype(dtype()));
  } else {  // a packed type, in the middle of a byte
    block_ = Array::uninitialized(compute_dtype(dtype()), {count});
    const bool floating = is_floating(dtype());
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t code = packed_element(array_.data(), start + i, bit_width(dtype()));
      std::byte* to = block_.mutable_data();
      if (floating) {
        reinterpret_cast<float*>(to)[i] = static_cast<float>(decode_double(dtype(), code));
      } else {
        reinterpret_cast<int64_t*>(to)[i] = decode_int64(dtype(), code);
      }
    }
  }
  return block_.data();
}

}  // namespace polygraphy
