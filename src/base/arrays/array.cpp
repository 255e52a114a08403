#include "base/arrays/array.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>

#include "base/arrays/convert.h"
#include "base/arrays/packing.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/os/memory/pages.h"

namespace polygraphy {
namespace {

constexpr size_t kAlignment = 64;  // a cache line; enough for every vector instruction

// More than the address space of a process; larger sizes are refused before any allocation.
constexpr size_t kAddressable = size_t{1} << 47;

// Filling fresh memory costs more in page faults than in copying, eight times less in pages of 2
// MiB.
constexpr size_t kWorthHugePages = size_t{8} << 20;

// Heap bytes at a multiple of kAlignment. calloc gets big zero blocks from the system as pages
// that cost nothing until they are touched.
std::shared_ptr<std::byte> allocate(size_t size, bool zeroed, DataType type, const Shape& shape) {
  const size_t padded = size + kAlignment;
  void* block = size > kAddressable ? nullptr
                : zeroed            ? std::calloc(padded, 1)
                                    : std::malloc(padded);
  if (block == nullptr) {
    throw Error("cannot allocate " + std::to_string(size) + " bytes for an array of type " +
                    std::string(name_of(type)) + " and shape " + py_tuple_repr(shape),
                "More memory is needed than is free.");
  }
  if (padded >= kWorthHugePages) use_huge_pages(block, padded);
  const auto address = reinterpret_cast<uintptr_t>(block);
  auto* first = reinterpret_cast<std::byte*>((address + kAlignment - 1) / kAlignment * kAlignment);
  return {std::shared_ptr<void>(block, std::free), first};
}

bool is_strings(DataType type) {
  return type == DataType::kString;
}

int64_t item_bytes(DataType type) {
  return bit_width(type) / 8;
}

std::vector<int64_t> c_strides(const Shape& shape, int64_t item) {
  std::vector<int64_t> strides(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = item;
    item *= shape[axis];
  }
  return strides;
}

// Steps of axes with one element do not matter, nor do any when there are no elements.
bool is_c_order(const Shape& shape, std::span<const int64_t> strides, int64_t item) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return true;
  for (size_t axis = shape.size(); axis-- > 0;) {
    if (shape[axis] != 1 && strides[axis] != item) return false;
    item *= shape[axis];
  }
  return true;
}

// Counts through a shape in C order, the last axis fastest, and keeps the byte offset in step.
class StridedWalk {
 public:
  StridedWalk(const Shape& shape, std::span<const int64_t> strides)
      : shape_(shape), strides_(strides), index_(shape.size(), 0) {}

  int64_t offset() const { return offset_; }
  // Moves on by one position of the axes [0, axes).
  void advance(size_t axes) {
    for (size_t axis = axes; axis-- > 0;) {
      offset_ += strides_[axis];
      if (++index_[axis] < shape_[axis]) return;
      offset_ -= strides_[axis] * shape_[axis];
      index_[axis] = 0;
    }
  }

 private:
  const Shape& shape_;
  std::span<const int64_t> strides_;
  std::vector<int64_t> index_;
  int64_t offset_ = 0;
};

template <typename T>
void gather_row(const std::byte* from, int64_t stride, int64_t count, std::byte* to) {
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * static_cast<int64_t>(sizeof(T)), from + i * stride, sizeof(T));
  }
}

struct Bytes16 {
  uint64_t low, high;
};

void gather_row(const std::byte* from, int64_t stride, int64_t count, int64_t item, std::byte* to) {
  if (stride == item) {
    std::memcpy(to, from, static_cast<size_t>(count * item));
    return;
  }
  switch (item) {
    case 1:
      return gather_row<uint8_t>(from, stride, count, to);
    case 2:
      return gather_row<uint16_t>(from, stride, count, to);
    case 4:
      return gather_row<uint32_t>(from, stride, count, to);
    case 8:
      return gather_row<uint64_t>(from, stride, count, to);
    default:
      return gather_row<Bytes16>(from, stride, count, to);
  }
}

void gather(const Array& array, std::byte* to) {
  const Shape& shape = array.shape();
  const int64_t item = item_bytes(array.dtype());
  const size_t outer_axes = shape.size() - 1;  // a scalar is always contiguous
  const int64_t row = shape.back();
  StridedWalk walk(shape, array.strides());
  for (int64_t done = 0; done < array.size(); done += row) {
    gather_row(array.data() + walk.offset(), array.strides().back(), row, item, to + done * item);
    walk.advance(outer_axes);
  }
}

uint64_t read_bits(const std::byte* data, int64_t index, int bits) {
  if (bits >= 8) {
    uint64_t value = 0;
    std::memcpy(&value, data + index * (bits / 8), static_cast<size_t>(bits / 8));
    return value;
  }
  return packed_element(data, index, bits);
}

template <typename T>
constexpr DataType data_type_of();
template <>
constexpr DataType data_type_of<float>() {
  return DataType::kFloat32;
}
template <>
constexpr DataType data_type_of<double>() {
  return DataType::kFloat64;
}
template <>
constexpr DataType data_type_of<bool>() {
  return DataType::kBool;
}
template <>
constexpr DataType data_type_of<int8_t>() {
  return DataType::kInt8;
}
template <>
constexpr DataType data_type_of<int16_t>() {
  return DataType::kInt16;
}
template <>
constexpr DataType data_type_of<int32_t>() {
  return DataType::kInt32;
}
template <>
constexpr DataType data_type_of<int64_t>() {
  return DataType::kInt64;
}
template <>
constexpr DataType data_type_of<uint8_t>() {
  return DataType::kUint8;
}
template <>
constexpr DataType data_type_of<uint16_t>() {
  return DataType::kUint16;
}
template <>
constexpr DataType data_type_of<uint32_t>() {
  return DataType::kUint32;
}
template <>
constexpr DataType data_type_of<uint64_t>() {
  return DataType::kUint64;
}

}  // namespace

int64_t element_count(std::span<const int64_t> shape) {
  int64_t count = 1;
  bool overflow = false;
  bool empty = false;
  for (const int64_t dim : shape) {
    if (dim < 0) {
      throw FormatError("the shape " + py_tuple_repr(shape) + " has a negative dimension");
    }
    empty = empty || dim == 0;
    overflow = overflow || __builtin_mul_overflow(count, dim, &count);
  }
  if (empty) return 0;
  if (overflow) {
    throw FormatError("the number of elements of shape " + py_tuple_repr(shape) +
                      " does not fit in 63 bits");
  }
  return count;
}

Array Array::zeros(DataType type, Shape shape) {
  Array array;
  array.dtype_ = type;
  array.size_ = element_count(shape);
  array.shape_ = std::move(shape);
  if (is_strings(type)) {
    array.strings_ =
        std::make_shared<const std::vector<std::string>>(static_cast<size_t>(array.size_));
    return array;
  }
  const auto size = static_cast<size_t>(storage_bytes(type, array.size_));
  auto storage = allocate(size, true, type, array.shape_);
  array.data_ = storage.get();
  array.owner_ = std::move(storage);
  array.writable_ = true;
  return array;
}

Array Array::uninitialized(DataType type, Shape shape) {
  if (is_strings(type)) return zeros(type, std::move(shape));
  Array array;
  array.dtype_ = type;
  array.size_ = element_count(shape);
  array.shape_ = std::move(shape);
  const auto size = static_cast<size_t>(storage_bytes(type, array.size_));
  auto storage = allocate(size, false, type, array.shape_);
  array.data_ = storage.get();
  array.owner_ = std::move(storage);
  array.writable_ = true;
  return array;
}

Array Array::view(DataType type, Shape shape, const void* data, std::shared_ptr<const void> owner) {
  assert(!is_strings(type) && "strings have no bytes to view: use from_strings()");
  Array array;
  array.dtype_ = type;
  array.size_ = element_count(shape);
  array.shape_ = std::move(shape);
  array.data_ = static_cast<const std::byte*>(data);
  array.owner_ = std::move(owner);
  return array;
}

Array Array::strided(DataType type, Shape shape, std::vector<int64_t> strides, const void* data,
                     std::shared_ptr<const void> owner) {
  assert(!is_strings(type) && !is_packed(type) && "only whole-byte elements have strides");
  assert(strides.size() == shape.size() && "one stride per axis");
  Array array = view(type, std::move(shape), data, std::move(owner));
  if (!is_c_order(array.shape_, strides, item_bytes(type))) array.strides_ = std::move(strides);
  return array;
}

Array Array::from_strings(Shape shape, std::vector<std::string> values) {
  Array array;
  array.dtype_ = DataType::kString;
  array.size_ = element_count(shape);
  array.shape_ = std::move(shape);
  if (static_cast<int64_t>(values.size()) != array.size_) {
    throw Error("shape " + py_tuple_repr(array.shape_) + " has " + std::to_string(array.size_) +
                " elements, but there are " + std::to_string(values.size()) + " strings");
  }
  array.strings_ = std::make_shared<const std::vector<std::string>>(std::move(values));
  return array;
}

template <typename T>
Array Array::of(Shape shape, std::span<const T> values) {
  Array array = uninitialized(data_type_of<T>(), std::move(shape));
  if (static_cast<int64_t>(values.size()) != array.size_) {
    throw Error("shape " + py_tuple_repr(array.shape_) + " has " + std::to_string(array.size_) +
                " elements, but there are " + std::to_string(values.size()) + " values");
  }
  if (!values.empty()) std::memcpy(array.mutable_data(), values.data(), values.size_bytes());
  return array;
}

template Array Array::of<float>(Shape, std::span<const float>);
template Array Array::of<double>(Shape, std::span<const double>);
template Array Array::of<bool>(Shape, std::span<const bool>);
template Array Array::of<int8_t>(Shape, std::span<const int8_t>);
template Array Array::of<int16_t>(Shape, std::span<const int16_t>);
template Array Array::of<int32_t>(Shape, std::span<const int32_t>);
template Array Array::of<int64_t>(Shape, std::span<const int64_t>);
template Array Array::of<uint8_t>(Shape, std::span<const uint8_t>);
template Array Array::of<uint16_t>(Shape, std::span<const uint16_t>);
template Array Array::of<uint32_t>(Shape, std::span<const uint32_t>);
template Array Array::of<uint64_t>(Shape, std::span<const uint64_t>);

int64_t Array::nbytes() const {
  if (!is_strings(dtype_)) return storage_bytes(dtype_, size_);
  int64_t total = 0;
  for (const std::string& text : strings()) total += static_cast<int64_t>(text.size());
  return total;
}

std::span<const std::byte> Array::bytes() const {
  assert(contiguous() && !is_strings(dtype_) && "only contiguous, non-string arrays have bytes");
  return {data_, static_cast<size_t>(storage_bytes(dtype_, size_))};
}

std::byte* Array::mutable_data() {
  if (!writable_) throw Error("An array that views other bytes is read-only", "Use clone().");
  assert(owner_.use_count() == 1 && "another array shares these bytes: clone() first");
  // The storage was allocated as writable bytes by zeros() or uninitialized().
  return const_cast<std::byte*>(data_);
}

std::span<const std::string> Array::strings() const {
  if (strings_ == nullptr) return {};
  return *strings_;
}

Array Array::contiguous_aligned(size_t alignment) const {
  if (contiguous() &&
      (is_strings(dtype_) || size_ == 0 || reinterpret_cast<uintptr_t>(data_) % alignment == 0)) {
    return *this;
  }
  return clone();
}

Array Array::clone() const {
  if (empty()) return {};
  if (is_strings(dtype_)) {
    return from_strings(shape_, std::vector<std::string>(strings().begin(), strings().end()));
  }
  Array copy = uninitialized(dtype_, shape_);
  if (size_ == 0) return copy;
  if (contiguous()) {
    std::memcpy(copy.mutable_data(), data_, bytes().size());
  } else {
    gather(*this, copy.mutable_data());
  }
  return copy;
}

Array Array::reshaped(Shape shape) const {
  assert(contiguous() && "reshaping needs a contiguous array: use contiguous_aligned() first");
  if (element_count(shape) != size_) {
    throw Error("cannot give an array of shape " + py_tuple_repr(shape_) + " the shape " +
                py_tuple_repr(shape) + ": the number of elements differs");
  }
  Array array = *this;
  array.shape_ = std::move(shape);
  return array;
}

Array Array::transposed(std::span<const int64_t> permutation) const {
  std::vector<bool> used(shape_.size(), false);
  bool valid = permutation.size() == shape_.size();
  for (size_t i = 0; valid && i < permutation.size(); ++i) {
    const int64_t axis = permutation[i];
    valid = axis >= 0 && axis < rank() && !used[static_cast<size_t>(axis)];
    if (valid) used[static_cast<size_t>(axis)] = true;
  }
  if (!valid) {
    throw Error("cannot permute the axes of an array of shape " + py_tuple_repr(shape_) + " by " +
                py_tuple_repr(permutation));
  }

  // Strings and packed elements are moved as if an element were one unit.
  const bool whole_bytes = !is_strings(dtype_) && !is_packed(dtype_);
  const std::vector<int64_t> from =
      strides_.empty() ? c_strides(shape_, whole_bytes ? item_bytes(dtype_) : 1) : strides_;
  Shape shape(shape_.size());
  std::vector<int64_t> strides(shape_.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    const auto axis = static_cast<size_t>(permutation[i]);
    shape[i] = shape_[axis];
    strides[i] = from[axis];
  }
  if (whole_bytes) return strided(dtype_, std::move(shape), std::move(strides), data_, owner_);

  StridedWalk walk(shape, strides);
  if (is_strings(dtype_)) {
    std::vector<std::string> values;
    values.reserve(static_cast<size_t>(size_));
    for (int64_t i = 0; i < size_; ++i, walk.advance(shape.size())) {
      values.push_back((*strings_)[static_cast<size_t>(walk.offset())]);
    }
    return from_strings(std::move(shape), std::move(values));
  }
  Array unpacked = uninitialized(DataType::kUint8, shape);
  auto* elements = reinterpret_cast<uint8_t*>(unpacked.mutable_data());
  for (int64_t i = 0; i < size_; ++i, walk.advance(shape.size())) {
    elements[i] = packed_element(data_, walk.offset(), bit_width(dtype_));
  }
  return pack(unpacked, dtype_);
}

uint64_t Array::element_bits(int64_t flat_index) const {
  assert(flat_index >= 0 && flat_index < size_ && "index outside the array");
  const std::byte* data = data_;
  if (!contiguous()) {
    int64_t rest = flat_index;
    for (size_t axis = shape_.size(); axis-- > 0;) {
      data += rest % shape_[axis] * strides_[axis];
      rest /= shape_[axis];
    }
    flat_index = 0;
  }
  return read_bits(data, flat_index, bit_width(dtype_));
}

double Array::get_double(int64_t flat_index) const {
  assert(!is_strings(dtype_) && kind_of(dtype_) != Kind::kComplex && "not a real number type");
  return decode_double(dtype_, element_bits(flat_index));
}

int64_t Array::get_int64(int64_t flat_index) const {
  assert(!is_strings(dtype_) && kind_of(dtype_) != Kind::kComplex && "not a real number type");
  return decode_int64(dtype_, element_bits(flat_index));
}

bool bitwise_equal(const Array& a, const Array& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (is_strings(a.dtype())) {
    return std::equal(a.strings().begin(), a.strings().end(), b.strings().begin(),
                      b.strings().end());
  }
  if (a.empty() || a.size() == 0) return true;
  const Array left = a.contiguous_aligned(1);
  const Array right = b.contiguous_aligned(1);
  const int64_t bits = bit_width(a.dtype());
  if (bits < 8) {
    // The padding bits of the last byte are not compared.
    const int64_t whole = a.size() * bits / 8;
    if (std::memcmp(left.data(), right.data(), static_cast<size_t>(whole)) != 0) return false;
    for (int64_t i = whole * 8 / bits; i < a.size(); ++i) {
      if (packed_element(left.data(), i, static_cast<int>(bits)) !=
          packed_element(right.data(), i, static_cast<int>(bits))) {
        return false;
      }
    }
    return true;
  }
  return std::memcmp(left.data(), right.data(), left.bytes().size()) == 0;
}

}  // namespace polygraphy
