// Attention: the end of one, by which programs reach it.
#pragma once

#include "building/layers.h"
#include "building/network.h"

namespace tensorrt_double {

LayerObject attention_output(const LayerImpl& layer);

}  // namespace tensorrt_double
