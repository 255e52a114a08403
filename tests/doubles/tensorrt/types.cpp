#include "types.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tensorrt_double {
namespace {

using Onnx = polygraphy::DataType;
using Trt = nvinfer1::DataType;

constexpr std::array<std::pair<Onnx, Trt>, 13> kTypes = {{
    {Onnx::kFloat32, Trt::kFLOAT},
    {Onnx::kFloat16, Trt::kHALF},
    {Onnx::kInt8, Trt::kINT8},
    {Onnx::kInt32, Trt::kINT32},
    {Onnx::kBool, Trt::kBOOL},
    {Onnx::kUint8, Trt::kUINT8},
    {Onnx::kFloat8E4M3FN, Trt::kFP8},
    {Onnx::kBfloat16, Trt::kBF16},
    {Onnx::kInt64, Trt::kINT64},
    {Onnx::kInt4, Trt::kINT4},
    {Onnx::kFloat4E2M1, Trt::kFP4},
    {Onnx::kFloat8E8M0, Trt::kE8M0},
    // Taken as float32.
    {Onnx::kFloat64, Trt::kFLOAT},
}};

}  // namespace

std::optional<Trt> to_tensorrt(Onnx type) {
  const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const auto& pair) { return pair.first == type; });
  if (found == kTypes.end()) return std::nullopt;
  return found->second;
}

Onnx to_onnx(Trt type) {
  const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const auto& pair) { return pair.second == type; });
  return found == kTypes.end() ? Onnx::kUndefined : found->first;
}

nvinfer1::Dims to_dims(const std::optional<graphsurgeon::DimList>& shape) {
  nvinfer1::Dims dims{};
  dims.nbDims = -1;
  if (!shape || shape->size() > nvinfer1::Dims::MAX_DIMS) return dims;
  dims.nbDims = static_cast<int32_t>(shape->size());
  for (size_t i = 0; i < shape->size(); ++i) {
    dims.d[i] = (*shape)[i].is_static() ? (*shape)[i].value() : -1;
  }
  return dims;
}

bool same_dims(const nvinfer1::Dims& a, const nvinfer1::Dims& b) {
  return a.nbDims == b.nbDims && std::equal(a.d, a.d + std::max(a.nbDims, 0), b.d);
}

bool is_static(const nvinfer1::Dims& dims) {
  return dims.nbDims >= 0 &&
         std::all_of(dims.d, dims.d + dims.nbDims, [](int64_t dim) { return dim >= 0; });
}

int64_t volume(const nvinfer1::Dims& dims) {
  int64_t result = 1;
  for (int i = 0; i < dims.nbDims; ++i) result *= dims.d[i];
  return result;
}

polygraphy::Shape shape_of(const nvinfer1::Dims& dims) {
  return {dims.d, dims.d + std::max(dims.nbDims, 0)};
}
nvinfer1::Dims dims_of(const polygraphy::Shape& shape) {
  nvinfer1::Dims dims{};
  dims.nbDims = static_cast<int32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), dims.d);
  return dims;
}

}  // namespace tensorrt_double
