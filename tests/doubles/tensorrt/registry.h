// The plugin registry: loads the libraries of plugins, and has no creators.
#pragma once

#include <NvInfer.h>

namespace tensorrt_double {

nvinfer1::IPluginRegistry& plugin_registry();

}  // namespace tensorrt_double
