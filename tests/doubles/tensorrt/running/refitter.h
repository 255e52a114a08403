// Refitting: other values for the weights of an engine.
#pragma once

#include <NvInfer.h>

#include "log.h"

namespace tensorrt_double {

struct EngineImpl;

// Null, with an error, for an engine that was not built for it.
nvinfer1::IRefitter* refitter_of(const EngineImpl& engine, Log log);
// From an ONNX model: all initializers that the engine has.
void* onnx_refitter_of(nvinfer1::IRefitter& refitter, nvinfer1::ILogger* logger);

}  // namespace tensorrt_double
