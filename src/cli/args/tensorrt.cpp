// TensorRT has no back end here yet: its options are known by name and arity.
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr uint8_t kTacticsSet = 2;

constexpr Option kOptions[] = {
    {.spellings = "--trt", .arity = Arity::kFlag, .selects_runner = true},
    // Builder configuration
    {.spellings = "--trt-min-shapes", .arity = Arity::kOneOrMore, .appends = true},
    {.spellings = "--trt-opt-shapes", .arity = Arity::kOneOrMore, .appends = true},
    {.spellings = "--trt-max-shapes", .arity = Arity::kOneOrMore, .appends = true},
    {.spellings = "--tf32", .arity = Arity::kFlag},
    {.spellings = "--fp16", .arity = Arity::kFlag},
    {.spellings = "--bf16", .arity = Arity::kFlag},
    {.spellings = "--fp8", .arity = Arity::kFlag},
    {.spellings = "--int8", .arity = Arity::kFlag},
    {.spellings = "--precision-constraints", .choices = "prefer obey none"},
    {.spellings = "--sparse-weights", .arity = Arity::kFlag},
    {.spellings = "--version-compatible", .arity = Arity::kFlag},
    {.spellings = "--exclude-lean-runtime", .arity = Arity::kFlag},
    {.spellings = "--calibration-cache", .type = ValueType::kPath},
    {.spellings = "--calib-base-cls --calibration-base-class"},
    {.spellings = "--quantile", .type = ValueType::kFloat},
    {.spellings = "--regression-cutoff", .type = ValueType::kFloat},
    {.spellings = "--load-timing-cache", .type = ValueType::kPath},
    {.spellings = "--error-on-timing-cache-miss", .arity = Arity::kFlag},
    {.spellings = "--disable-compilation-cache", .arity = Arity::kFlag},
    {.spellings = "--save-tactics --save-tactic-replay",
     .type = ValueType::kPath,
     .exclusive = kTacticsSet},
    {.spellings = "--load-tactics --load-tactic-replay",
     .type = ValueType::kPath,
     .exclusive = kTacticsSet},
    {.spellings = "--tactic-sources", .arity = Arity::kZeroOrMore},
    {.spellings = "--trt-config-script", .type = ValueType::kPath},
    {.spellings = "--trt-config-func-name",
     .origin = Origin::kRemoved,
     .instead = "--trt-config-script SCRIPT:NAME"},
    {.spellings = "--trt-config-postprocess-script --trt-cpps", .type = ValueType::kPath},
    {.spellings = "--trt-safety-restricted", .arity = Arity::kFlag},
    {.spellings = "--refittable", .arity = Arity::kFlag},
    {.spellings = "--strip-plan", .arity = Arity::kFlag},
    {.spellings = "--use-dla", .arity = Arity::kFlag},
    {.spellings = "--allow-gpu-fallback", .arity = Arity::kFlag},
    {.spellings = "--pool-limit --memory-pool-limit", .arity = Arity::kOneOrMore},
    {.spellings = "--preview-features", .arity = Arity::kZeroOrMore},
    {.spellings = "--builder-optimization-level", .type = ValueType::kInt},
    {.spellings = "--hardware-compatibility-level"},
    {.spellings = "--max-aux-streams", .type = ValueType::kInt},
    {.spellings = "--quantization-flags", .arity = Arity::kZeroOrMore},
    {.spellings = "--profiling-verbosity"},
    {.spellings = "--weight-streaming", .arity = Arity::kFlag},
    {.spellings = "--runtime-platform"},
    {.spellings = "--direct-io", .arity = Arity::kFlag},
    {.spellings = "--tiling-optimization-level"},
    // Plugins and the ONNX parser
    {.spellings = "--plugins", .arity = Arity::kOneOrMore, .type = ValueType::kPath},
    {.spellings = "--onnx-flags", .arity = Arity::kOneOrMore},
    {.spellings = "--plugin-instancenorm", .arity = Arity::kFlag},
    {.spellings = "--enable-uint8-asymmetric-quantization-dla", .arity = Arity::kFlag},
    // Network
    {.spellings = "--trt-outputs", .arity = Arity::kOneOrMore},
    {.spellings = "--trt-exclude-outputs", .arity = Arity::kOneOrMore},
    {.spellings = "--trt-outputs-by-type", .arity = Arity::kOneOrMore},
    {.spellings = "--layer-precisions", .arity = Arity::kOneOrMore},
    {.spellings = "--decomposable-attentions", .arity = Arity::kFlag},
    {.spellings = "--tensor-dtypes --tensor-datatypes", .arity = Arity::kOneOrMore},
    {.spellings = "--all-tensor-dtypes --all-tensor-datatypes"},
    {.spellings = "--tensor-formats", .arity = Arity::kOneOrMore},
    {.spellings = "--all-tensor-formats", .arity = Arity::kOneOrMore},
    {.spellings = "--trt-network-postprocess-script --trt-npps",
     .arity = Arity::kOneOrMore,
     .type = ValueType::kPath},
    {.spellings = "--trt-network-func-name",
     .origin = Origin::kRemoved,
     .instead = "SCRIPT:NAME as the model"},
    {.spellings = "--strongly-typed", .arity = Arity::kFlag},
    {.spellings = "--mark-debug", .arity = Arity::kOneOrMore},
    {.spellings = "--mark-unfused-tensors-as-debug-tensors", .arity = Arity::kFlag},
    // Engine
    {.spellings = "--save-engine", .type = ValueType::kPath},
    {.spellings = "--save-timing-cache", .type = ValueType::kPath},
    {.spellings = "--load-runtime", .type = ValueType::kPath},
    {.spellings = "--dla-workspace-allocation-strategy"},
    // Inference
    {.spellings = "--optimization-profile", .type = ValueType::kInt},
    {.spellings = "--allocation-strategy", .choices = "static profile runtime"},
    {.spellings = "--weight-streaming-budget"},
};

}  // namespace

extern const ArgGroup args_tensorrt;
constinit const ArgGroup args_tensorrt = {
    .title = "TensorRT", .summary = {}, .options = kOptions, .absent_engine = "TensorRT"};

}  // namespace polygraphy::cli
