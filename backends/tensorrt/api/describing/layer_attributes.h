// The attributes of layers of one type, under the names of TensorRT's Python module.
#pragma once

#include "tensorrt/api/describing/attribute_json.h"

namespace tensorrt::TENSORRT_FAMILY {

// In the alphabetical order of their names.
void put_attributes(AttributeJson& out, nv::ILayer& layer);
// "LayerType.SHUFFLE"; for layers with a kind, the kind: "ActivationType.RELU".
std::string operation_of(nv::ILayer& layer);

}  // namespace tensorrt::TENSORRT_FAMILY
