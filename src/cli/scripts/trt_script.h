// Options of TensorRT for scripts that call it.
#pragma once

#include <string_view>

#include "base/log.h"
#include "cli/syntax/parser.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/model_tools/codegen/trt_loaders.h"

namespace polygraphy::cli {

// The options that make a network, and those that configure its builder, as GroupUse::only takes
// them.
inline constexpr std::string_view kTrtNetworkOptions =
    "--plugins --onnx-flags --plugin-instancenorm --enable-uint8-asymmetric-quantization-dla "
    "--trt-outputs --trt-exclude-outputs --trt-outputs-by-type --layer-precisions "
    "--decomposable-attentions --tensor-dtypes --all-tensor-dtypes --tensor-formats "
    "--all-tensor-formats --trt-network-postprocess-script --strongly-typed --mark-debug "
    "--mark-unfused-tensors-as-debug-tensors";
inline constexpr std::string_view kTrtConfigOptions =
    "--trt-min-shapes --trt-opt-shapes --trt-max-shapes --tf32 --fp16 --bf16 --fp8 --int8 "
    "--precision-constraints --sparse-weights --version-compatible --exclude-lean-runtime "
    "--calibration-cache --calib-base-cls --quantile --regression-cutoff --load-timing-cache "
    "--error-on-timing-cache-miss --disable-compilation-cache --save-tactics --load-tactics "
    "--tactic-sources --trt-config-script --trt-config-postprocess-script "
    "--trt-safety-restricted --refittable --strip-plan --use-dla --allow-gpu-fallback "
    "--pool-limit --preview-features --builder-optimization-level "
    "--hardware-compatibility-level --max-aux-streams --quantization-flags "
    "--profiling-verbosity --weight-streaming --runtime-platform --direct-io "
    "--tiling-optimization-level --use-gpu --compute-capabilities";

// Of the options that the command has. `shapes`: --input-shapes, of a profile where none is given.
// Warns of what has no effect. Throws Error.
TrtScript resolve_trt_script(const ParsedArgs& args, const Metadata& shapes, Logger& log);

}  // namespace polygraphy::cli
