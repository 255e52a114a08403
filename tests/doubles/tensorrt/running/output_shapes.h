// Shapes of an engine's outputs for given shapes of its inputs.
#pragma once

#include <NvInfer.h>

#include <map>
#include <string>

#include "base/arrays/array.h"
#include "running/plan.h"

namespace tensorrt_double {

// `values`: of inputs that are shapes. Dimensions that only running the model tells are -1.
nvinfer1::Dims output_shape(const Plan& plan, const std::string& tensor,
                            const std::map<std::string, nvinfer1::Dims>& inputs,
                            const std::map<std::string, polygraphy::Array>& values);

}  // namespace tensorrt_double
