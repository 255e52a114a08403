// Shapes of an engine's outputs for given shapes of its inputs.
#pragma once

#include <NvInfer.h>

#include <map>
#include <string>

#include "base/arrays/array.h"
#include "running/plan.h"

namespace tensorrt_double {

// `values`: of shape inputs. Dimensions that only a run of the model determines are -1.
nvinfer1::Dims output_shape(const Plan& plan, const std::string& tensor,
                            const std::map<std::string, nvinfer1::Dims>& inputs,
                            const std::map<std::string, polygraphy::Array>& values);

}  // namespace tensorrt_double
