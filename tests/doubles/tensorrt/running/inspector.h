// The engine inspector: a plan's description of its layers.
#pragma once

#include <NvInfer.h>

#include <memory>

#include "running/plan.h"

namespace tensorrt_double {

nvinfer1::IEngineInspector* inspector_of(const std::shared_ptr<const Plan>& plan);

}  // namespace tensorrt_double
