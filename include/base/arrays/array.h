// N-dimensional arrays in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/dtype.h"

namespace polygraphy {

using Shape = std::vector<int64_t>;

// Product of the dimensions; 1 for a scalar. Throws FormatError for negative dimensions or when the
// product does not fit in 63 bits.
int64_t element_count(std::span<const int64_t> shape);

// A typed, shaped, strided view of host bytes together with the owner that keeps them alive.
// Copying an Array is cheap and shares the bytes; clone() copies them.
//
// Strings: data() is null, strings() holds the elements in C order.
// Sub-byte types (int4, uint2, float4 …) are packed low bits first, C order, without strides;
// element i sits at bit i * bit_width.
class Array {
 public:
  Array() = default;  // no type, no shape; empty() is true

  // Zero-filled, owned, C-contiguous. For strings: empty strings.
  static Array zeros(DataType type, Shape shape);
  // Owned, C-contiguous, contents undefined (used by readers that fill it).
  static Array uninitialized(DataType type, Shape shape);
  // Views `data` (C order) for as long as `owner` lives; a null owner means the caller keeps the
  // bytes alive.
  static Array view(DataType type, Shape shape, const void* data,
                    std::shared_ptr<const void> owner);
  // The same with strides in bytes (may be 0 or negative). Not for packed types or strings.
  static Array strided(DataType type, Shape shape, std::vector<int64_t> strides, const void* data,
                       std::shared_ptr<const void> owner);
  static Array from_strings(Shape shape, std::vector<std::string> values);
  // Copies `values`; T is float, double, (u)int8..64 or bool.
  template <typename T>
  static Array of(Shape shape, std::span<const T> values);
  template <typename T>
  static Array of(Shape shape, std::initializer_list<T> values) {
    return of<T>(std::move(shape), std::span<const T>(values.begin(), values.size()));
  }

  // True for a default-constructed array only: an array with a zero dimension is not empty.
  bool empty() const { return dtype_ == DataType::kUndefined; }
  DataType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  int64_t rank() const { return static_cast<int64_t>(shape_.size()); }
  int64_t size() const { return size_; }  // elements
  int64_t nbytes() const;                 // packed bytes, storage_bytes(); strings: sum of lengths
  const std::vector<int64_t>& strides() const {
    return strides_;
  }  // bytes; empty when C-contiguous
  bool contiguous() const { return strides_.empty(); }

  // First element. Only meaningful for non-string arrays.
  const std::byte* data() const { return data_; }
  // Bytes of a contiguous, non-string array.
  std::span<const std::byte> bytes() const;
  // Writable bytes: only for arrays made by zeros(), uninitialized(), clone() or of(), and only
  // while no other array shares the storage (asserted). Throws Error for a view.
  std::byte* mutable_data();
  std::span<const std::string> strings() const;

  // Elements of a contiguous array with storage T (float for kFloat32, uint16_t for the bits of
  // bfloat16/float16, uint8_t for the bits of float8, …). The caller vouches for the type's width.
  // A view at an unaligned address is not allowed: use contiguous_aligned() first.
  template <typename T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(data_), static_cast<size_t>(size_)};
  }

  // Returns this array if it is contiguous and aligned to `alignment`, else a contiguous copy.
  Array contiguous_aligned(size_t alignment = 16) const;
  Array clone() const;
  // Same bytes under another shape with the same element count. Throws Error otherwise. Contiguous
  // only.
  Array reshaped(Shape shape) const;
  // View with permuted axes (no copy, except for packed types and strings).
  Array transposed(std::span<const int64_t> permutation) const;

  // Element at flat C-order index as double (integers beyond 2^53 are rounded). Not for
  // strings/complex.
  double get_double(int64_t flat_index) const;
  // Element as int64 (uint64 wraps). Not for strings, complex.
  int64_t get_int64(int64_t flat_index) const;
  // The element's bits, in the low bits. Not for strings and complex128 (complex64: the real part's
  // bits are the low half). O(rank) when strided.
  uint64_t element_bits(int64_t flat_index) const;

 private:
  DataType dtype_ = DataType::kUndefined;
  Shape shape_;
  std::vector<int64_t> strides_;
  int64_t size_ = 0;
  const std::byte* data_ = nullptr;
  bool writable_ = false;  // the bytes were allocated by this class
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const std::vector<std::string>> strings_;
};

// Same type, same shape, same bytes (strings: same texts). NaNs with equal bits are equal.
bool bitwise_equal(const Array& a, const Array& b);

}  // namespace polygraphy
