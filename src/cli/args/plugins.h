// Plugins and their patterns.
#pragma once

#include <string_view>

#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {

// Commands pick from it: `plugin replace` takes what its configuration names.
extern const ArgGroup args_plugins;
inline constexpr std::string_view kPluginModelOptions = "model_file --model-type --input-shapes";
inline constexpr std::string_view kPluginLoadingOptions =
    "--external-data-dir --ignore-external-data --onnx-outputs --onnx-exclude-outputs "
    "--onnx-outputs-by-type --fp-to-fp16";
// Known, and without use: nothing is run.
inline constexpr std::string_view kPluginInputOptions =
    "--seed --val-range --iterations --data-loader-backend-module --load-inputs "
    "--data-loader-script";

}  // namespace polygraphy::cli
