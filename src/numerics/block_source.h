// Arrays as streams of blocks: statistics and histograms read an Array, or something computed from
// arrays on the fly (an absolute difference, say), without ever holding it whole.
#pragma once

#include <cstdint>
#include <utility>

#include "base/arrays/array.h"

namespace polygraphy {

// The C++ type to which the elements of a block are converted.
enum class ComputeType : uint8_t {
  kFloat,   // float16, bfloat16, float32, float8 …, float4, float6
  kDouble,  // float64
  kInt64,   // bool, every signed integer, unsigned ones of up to 32 bits
  kUint64,  // uint64
};

// False for strings, complex and unknown types: these have no compute type and no statistics.
bool has_compute_type(DataType type);
ComputeType compute_type_of(DataType type);  // only if has_compute_type(type)

// A readable sequence of elements. May be read several times, in any order of blocks; consumers
// read all of it front to back, once per pass, in blocks of at most kBlockElements. Consumers that
// take several sources of equal size read them block by block in turn, so that what one source
// touched is still in the cache for the next.
class BlockSource {
 public:
  static constexpr int64_t kBlockElements = 8192;

  // `dtype` is the type NumPy's array would have: it decides how results are rounded.
  BlockSource(DataType dtype, Shape shape)
      : dtype_(dtype), shape_(std::move(shape)), size_(element_count(shape_)) {}
  virtual ~BlockSource() = default;
  BlockSource(const BlockSource&) = delete;
  BlockSource& operator=(const BlockSource&) = delete;

  DataType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  int64_t size() const { return size_; }

  // Elements [start, start + count) in C order, `count` <= kBlockElements, as float, double,
  // int64_t or uint64_t according to compute_type_of(dtype()). Valid until the next call. Aligned
  // for the element type only.
  virtual const void* read(int64_t start, int64_t count) = 0;

 private:
  DataType dtype_;
  Shape shape_;
  int64_t size_;
};

// The elements of `array`, which must have a compute type and stay alive. float32 and float64 are
// handed out where they lie; other types are converted block by block. A strided array is copied
// once.
class ArraySource : public BlockSource {
 public:
  explicit ArraySource(const Array& array);
  const void* read(int64_t start, int64_t count) override;

 private:
  Array array_;
  Array block_;  // the last converted one
};

}  // namespace polygraphy
