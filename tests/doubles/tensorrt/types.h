// Element types and shapes of ONNX as TensorRT has them, and enumerators by name: one source for
// sets of headers that do not all have them.
#pragma once

#include <NvInfer.h>

#include <cstring>
#include <optional>
#include <string>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/dim.h"
#include "names.h"

namespace tensorrt_double {

// nullopt where TensorRT has no such type.
std::optional<nvinfer1::DataType> to_tensorrt(polygraphy::DataType type);
polygraphy::DataType to_onnx(nvinfer1::DataType type);

// Unknown dimensions are -1; an unknown rank is a rank of -1.
nvinfer1::Dims to_dims(const std::optional<graphsurgeon::DimList>& shape);
polygraphy::Shape shape_of(const nvinfer1::Dims& dims);
nvinfer1::Dims dims_of(const polygraphy::Shape& shape);
bool same_dims(const nvinfer1::Dims& a, const nvinfer1::Dims& b);
bool is_static(const nvinfer1::Dims& dims);
int64_t volume(const nvinfer1::Dims& dims);

// Whether the bit of the enumerator of that name is set; false where there is no such enumerator.
template <class Enum>
bool has_bit(uint32_t bits, const char* name) {
  for (int bit = 0; bit < 32; ++bit) {
    if (!(bits >> bit & 1)) continue;
    const char* of_bit = name_of(static_cast<Enum>(bit));
    if (of_bit && std::strcmp(of_bit, name) == 0) return true;
  }
  return false;
}

}  // namespace tensorrt_double
