// `template trt-network` and `template trt-config`: Python scripts for the original's packages that
// leave a place for edits of a network or of its builder's configuration.
#pragma once

#include <optional>
#include <string>

#include "polygraphy/model_tools/codegen/run_script.h"
#include "polygraphy/model_tools/codegen/trt_loaders.h"

namespace polygraphy {

// A function load_network() on the network of `model`; nullopt: on an empty one.
std::string trt_network_script(const std::optional<OnnxLoaderOptions>& model,
                               const TrtScript& script, const std::string& command_line);

// A function load_config() on the configuration. `inputs`: for calibration.
std::string trt_config_script(const TrtScript& script, const RunScript::Inputs& inputs,
                              const std::string& command_line);

}  // namespace polygraphy
