// Plugins and their patterns.
#pragma once

#include <string_view>

namespace polygraphy::cli {

inline constexpr std::string_view kPluginModelOptions = "model_file --model-type --input-shapes";
inline constexpr std::string_view kPluginLoadingOptions =
    "--external-data-dir --ignore-external-data --onnx-outputs --onnx-exclude-outputs "
    "--onnx-outputs-by-type --fp-to-fp16";
// Known, and without use: nothing is run.
inline constexpr std::string_view kPluginInputOptions =
    "--seed --val-range --iterations --data-loader-backend-module --load-inputs "
    "--data-loader-script";

}  // namespace polygraphy::cli
