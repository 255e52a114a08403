// How a tensor lies in the memory that an engine reads or writes: vectorized and channels-last
// formats have other orders than ours, and gaps.
#pragma once

#include <cstdint>
#include <vector>

#include "tensorrt/api/headers.h"

namespace tensorrt::TENSORRT_FAMILY {

// ONNX' numbers of types (TensorProto.DataType); 0 for one that it lacks.
int32_t onnx_type(nv::DataType type);
// Of `count` elements; sub-byte types are packed.
size_t bytes_of(nv::DataType type, int64_t count);
int64_t volume(const nv::Dims& dims);

class TensorLayout {
 public:
  // Of a tensor with a shape known to the context.
  TensorLayout(const nv::ICudaEngine& engine, const nv::IExecutionContext& context,
               const char* name, const nv::Dims& shape, int32_t profile);

  bool linear() const { return linear_; }
  // Of the engine's form, gaps included.
  size_t bytes() const;
  // Between the engine's form and ours.
  void from_linear(const void* linear, void* engine) const;
  void to_linear(const void* engine, void* linear) const;

 private:
  template <typename Copy>
  void for_each(Copy copy) const;

  bool linear_ = true;
  nv::DataType type_;
  nv::Dims shape_;
  nv::Dims strides_{};  // in vectors
  int32_t vector_dim_ = -1;
  int64_t vector_ = 1;  // elements of one
};

}  // namespace tensorrt::TENSORRT_FAMILY
