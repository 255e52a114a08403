// The layer that TensorRT makes of an operator.
#pragma once

#include <NvInfer.h>

#include <string_view>

namespace tensorrt_double {

struct OperatorLayer {
  nvinfer1::LayerType type;
  int operation = 0;  // of that type's enumeration: ElementWiseOperation, UnaryOperation ...
};

OperatorLayer layer_of_operator(std::string_view op);
// Standard operators that no version parses, and all of other domains.
bool is_supported(std::string_view op, std::string_view domain);
// Whether the operator's input of that number is a shape, or sizes or indices of dimensions.
bool reads_shape(std::string_view op, size_t input);
// Whether small integer results of the operator may be a shape, if its inputs are.
bool computes_shapes(std::string_view op);

}  // namespace tensorrt_double
