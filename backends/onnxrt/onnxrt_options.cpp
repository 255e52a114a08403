// Command-line options of ONNX Runtime. Pure data, compiled into the host as well.
#include <iterator>

#include "polygraphy/backend.h"

namespace {

const char* const kSitePackages[] = {"onnxruntime/capi/libonnxruntime.so*", nullptr};
const char* const kSonames[] = {"libonnxruntime.so.1", "libonnxruntime.so", nullptr};

constexpr pgb_model_format kFormats[] = {{"onnx", "*.onnx"}};

constexpr pgb_option_spec kOptions[] = {
    {.spellings = "--providers --execution-providers",
     .key = "providers",
     .nargs = "+",
     .help = "Execution providers in order of priority: a full name, a part of one in any case "
             "('cpu'), or the path of a provider's plugin library (*.so). Default: cpu.",
     .loader = "SessionFromOnnx"},
    {.spellings = "--graph-optimization-level",
     .key = "graph_optimization_level",
     .nargs = "1",
     .help = "Level of ONNX Runtime's graph rewrites: ORT_DISABLE_ALL, ORT_ENABLE_BASIC, "
             "ORT_ENABLE_EXTENDED, ORT_ENABLE_LAYOUT or ORT_ENABLE_ALL (the default)."},
    {.spellings = "--onnxrt-threads",
     .key = "threads",
     .nargs = "1",
     .metavar = "N",
     .help = "Threads within and between operators. Default: one for each processor available to "
             "this process.",
     .ours = 1},
    {.spellings = "--disable-optimizers",
     .key = "disable_optimizers",
     .nargs = "+",
     .metavar = "NAME",
     .help = "Disable these graph optimizers of ONNX Runtime at any level: ConstantFolding "
             "MatMulAddFusion.",
     .ours = 1},
    {.spellings = nullptr, .key = "optimized_model", .nargs = "1", .type = PGB_WRITTEN_FILE},
};

const char* const kLevels[] = {"ORT_DISABLE_ALL", "ORT_ENABLE_BASIC", "ORT_ENABLE_EXTENDED",
                               "ORT_ENABLE_ALL", nullptr};

// The names by which its optimizers are disabled: graph transformers, then rewrite rules. Versions
// lack some, and pass over names that they do not know. Optimizers that insert nodes for kernels
// are left out: a model of float16 does not load without them.
const char* const kOptimizers[] = {
    "ConstantFolding",
    "ConstantSharing",
    "CommonSubexpressionElimination",
    "MatMulAddFusion",
    "ReshapeFusion",
    "GeluFusionL1",
    "GeluFusionL2",
    "LayerNormFusionL1",
    "LayerNormFusionL2",
    "SimplifiedLayerNormFusion",
    "SkipLayerNormFusion",
    "BiasSkipLayerNormFusion",
    "EmbedLayerNormFusion",
    "AttentionFusion",
    "GroupQueryAttentionFusion",
    "GroupQueryAttentionPreNormFusion",
    "GqaValueLayoutTransformer",
    "FastGeluFusion",
    "QuickGeluFusion",
    "BiasGeluFusion",
    "GeluApproximation",
    "BiasSoftmaxFusion",
    "BiasDropoutFusion",
    "MatMulScaleFusion",
    "MatmulTransposeFusion",
    "MatMulActivationFusion",
    "MatMulIntegerToFloatFusion",
    "DynamicQuantizeMatMulFusion",
    "MatMulNBitsFusion",
    "MatMulNBitsMlpFusion",
    "MatMulNBitsQkvFusion",
    "DQMatMulNBitsFusion",
    "GemmActivationFusion",
    "ConvActivationFusion",
    "ConvAddActivationFusion",
    "GatherSliceToSplitFusion",
    "GatherToSliceFusion",
    "SliceConcatToSpaceToDepthFusion",
    "NchwcTransformer",
    "NhwcTransformer",
    "TransposeOptimizer",
    "TransposeOptimizer_CPUExecutionProvider",
    "DoubleQDQPairsRemover",
    "QDQPropagationTransformer",
    "QDQS8ToU8Transformer",
    "QDQSelectorActionTransformer",
    "QDQFinalCleanupTransformer",
    "Avx2WeightS8ToU8Transformer",
    "WeightBiasQuantization",
    "WhereDummyDq",
    "ConstantFoldingDQ",
    "EliminateIdentity",
    "EliminateSlice",
    "UnsqueezeElimination",
    "EliminateDropout",
    "ExpandElimination",
    "CastElimination",
    "CastChainElimination",
    "PreShapeNodeElimination",
    "NoopElimination",
    "DivMulFusion",
    "FuseReluClip",
    "GemmSumFusion",
    "GemmTransposeFusion",
    "NotWhereFusion",
    "ConvAddFusion",
    "ConvMulFusion",
    "ConvBNFusion",
    "Pad_Fusion",
    "MatMul_BatchNormalization_Fusion",
    "LabelEncoderFusion",
    "ClipQuantRewrite",
    "ReluQuantRewrite",
    nullptr,
};

constexpr pgb_switches kSwitches = {
    .struct_size = sizeof(pgb_switches),
    .threads = "threads",
    .level = "graph_optimization_level",
    .levels = kLevels,
    .disable = "disable_optimizers",
    .optimizers = kOptimizers,
    .save = "optimized_model",
    .saved_format = "onnx",
};

}  // namespace

extern "C" const pgb_backend_options backend_options_onnxrt;
const pgb_backend_options backend_options_onnxrt = {
    .struct_size = sizeof(pgb_backend_options),
    .name = "onnxrt",
    .flags = "--onnxrt",
    .runner_prefix = "onnxrt-runner",
    .title = "ONNX-Runtime Session Creation",
    .summary = "Run inference using ONNX-Runtime",
    .remedy =
        "Install it with `pip install onnxruntime` in the active Python environment, or name "
        "the library with --onnxrt-lib PATH or POLYGRAPHY_ONNXRT_LIB.",
    .library_env = "POLYGRAPHY_ONNXRT_LIB",
    .library_option = "--onnxrt-lib",
    .site_packages_patterns = kSitePackages,
    .sonames = kSonames,
    .formats = kFormats,
    .format_count = std::size(kFormats),
    .options = kOptions,
    .option_count = std::size(kOptions),
    .switches = &kSwitches,
};
