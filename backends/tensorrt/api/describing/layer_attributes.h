// What layers of one type have beside their tensors, under the names of TensorRT's Python module.
#pragma once

#include "tensorrt/api/describing/attribute_json.h"

namespace tensorrt::TENSORRT_FAMILY {

// In the alphabetical order of their names.
void put_attributes(AttributeJson& out, nv::ILayer& layer);
// "LayerType.SHUFFLE"; of layers with a type of their own, that: "ActivationType.RELU".
std::string operation_of(nv::ILayer& layer);

}  // namespace tensorrt::TENSORRT_FAMILY
