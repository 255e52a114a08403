#include "tensorrt/api/tensor_layout.h"

#include <cstring>

namespace tensorrt::TENSORRT_FAMILY {
namespace {

struct TypeForms {
  nv::DataType type;
  int32_t onnx;
  int bits;
};

template <typename Type>
std::vector<TypeForms> forms() {
  std::vector<TypeForms> result = {
      {Type::kFLOAT, 1, 32}, {Type::kUINT8, 2, 8}, {Type::kINT8, 3, 8},   {Type::kINT32, 6, 32},
      {Type::kINT64, 7, 64}, {Type::kBOOL, 9, 8},  {Type::kHALF, 10, 16}, {Type::kBF16, 16, 16},
      {Type::kFP8, 17, 8},   {Type::kINT4, 22, 4}};
  if constexpr (requires { Type::kFP4; }) result.push_back({Type::kFP4, 23, 4});
  if constexpr (requires { Type::kE8M0; }) result.push_back({Type::kE8M0, 24, 8});
  return result;
}

const TypeForms* find(nv::DataType type) {
  static const std::vector<TypeForms> known = forms<nv::DataType>();
  for (const TypeForms& each : known) {
    if (each.type == type) return &each;
  }
  return nullptr;
}

}  // namespace

int32_t onnx_type(nv::DataType type) {
  const TypeForms* found = find(type);
  return found ? found->onnx : 0;
}

size_t bytes_of(nv::DataType type, int64_t count) {
  const TypeForms* found = find(type);
  return found ? (static_cast<size_t>(count) * static_cast<size_t>(found->bits) + 7) / 8 : 0;
}

int64_t volume(const nv::Dims& dims) {
  int64_t count = 1;
  for (int32_t i = 0; i < dims.nbDims; ++i) count *= dims.d[i];
  return count;
}

TensorLayout::TensorLayout(const nv::ICudaEngine& engine, const nv::IExecutionContext& context,
                           const char* name, const nv::Dims& shape, int32_t profile)
    : linear_(engine.getTensorFormat(name, profile) == nv::TensorFormat::kLINEAR),
      type_(engine.getTensorDataType(name)),
      shape_(shape) {
  if (linear_) return;
  strides_ = context.getTensorStrides(name);
  vector_dim_ = engine.getTensorVectorizedDim(name, profile);
  if (vector_dim_ >= 0) vector_ = engine.getTensorComponentsPerElement(name, profile);
}

size_t TensorLayout::bytes() const {
  if (linear_) return bytes_of(type_, volume(shape_));
  int64_t last = 0;
  for (int32_t i = 0; i < shape_.nbDims; ++i) {
    const int64_t count = i == vector_dim_ ? (shape_.d[i] + vector_ - 1) / vector_ : shape_.d[i];
    if (count == 0) return 0;
    last += (count - 1) * strides_.d[i];
  }
  return bytes_of(type_, (last + 1) * vector_);
}

// Calls copy(place in the engine's form, place in ours) for each element; both count in elements.
template <typename Copy>
void TensorLayout::for_each(Copy copy) const {
  const int64_t count = volume(shape_);
  std::vector<int64_t> index(static_cast<size_t>(shape_.nbDims));
  for (int64_t at = 0; at < count; ++at) {
    int64_t vector = 0, within = 0;
    for (int32_t i = 0; i < shape_.nbDims; ++i) {
      const int64_t here = index[static_cast<size_t>(i)];
      if (i == vector_dim_) {
        vector += here / vector_ * strides_.d[i];
        within = here % vector_;
      } else {
        vector += here * strides_.d[i];
      }
    }
    copy(static_cast<size_t>(vector * vector_ + within), static_cast<size_t>(at));
    for (int32_t i = shape_.nbDims - 1; i >= 0; --i) {
      if (++index[static_cast<size_t>(i)] < shape_.d[i]) break;
      index[static_cast<size_t>(i)] = 0;
    }
  }
}

void TensorLayout::from_linear(const void* linear, void* engine) const {
  const size_t size = bytes_of(type_, 1);
  std::memset(engine, 0, bytes());
  for_each([&](size_t there, size_t here) {
    std::memcpy(static_cast<char*>(engine) + there * size,
                static_cast<const char*>(linear) + here * size, size);
  });
}

void TensorLayout::to_linear(const void* engine, void* linear) const {
  const size_t size = bytes_of(type_, 1);
  for_each([&](size_t there, size_t here) {
    std::memcpy(static_cast<char*>(linear) + here * size,
                static_cast<const char*>(engine) + there * size, size);
  });
}

}  // namespace tensorrt::TENSORRT_FAMILY
