// Command-line options of TensorRT. Pure data, compiled into the host as well.
#include <iterator>

#include "polygraphy/backend.h"

namespace {

const char* const kSitePackages[] = {"tensorrt_libs/libnvinfer.so.*",
                                     "tensorrt_rtx/lib*/libtensorrt_rtx.so.*",
                                     "tensorrt_rtx_libs/libtensorrt_rtx.so.*", nullptr};
const char* const kSonames[] = {"libnvinfer.so.11", "libnvinfer.so.10", "libtensorrt_rtx.so.1",
                                nullptr};

constexpr pgb_model_format kFormats[] = {{"onnx", "*.onnx"}, {"engine", "*.engine *.plan"}};

constexpr const char* kBuilder = "TensorRT Builder Configuration";
constexpr const char* kParser = "TensorRT Plugins and ONNX Parser";
constexpr const char* kNetwork = "TensorRT Network";
constexpr const char* kEngine = "TensorRT Engine";
constexpr const char* kInference = "TensorRT Inference";

#define PGB_OPTION_ONLY(name, spelled, ...) {.spellings = spelled, .key = name, __VA_ARGS__},
#define PGB_OPTION(type, member, ...) PGB_OPTION_ONLY(__VA_ARGS__)
constexpr pgb_option_spec kOptions[] = {
#include "tensorrt/config_options.inc"

#define PGB_OPTION_ONLY(name, spelled, ...) {.spellings = spelled, .key = name, __VA_ARGS__},
#define PGB_OPTION(type, member, ...) PGB_OPTION_ONLY(__VA_ARGS__)
#include "tensorrt/network_options.inc"

    {.spellings = "--save-engine",
     .key = "save_engine",
     .nargs = "1",
     .metavar = "FILE",
     .help = "Save the engine to this file.",
     .heading = kEngine,
     .type = PGB_WRITTEN_FILE,
     .loader = "SaveEngine",
     .argument = "path"},
    {.spellings = "--save-timing-cache",
     .key = "save_timing_cache",
     .nargs = "1",
     .metavar = "FILE",
     .help = "Add the timing cache to this file.",
     .heading = kEngine,
     .type = PGB_UPDATED_FILE,
     .loader = "EngineBytesFromNetwork",
     .stages = PGB_BUILDS},
    {.spellings = "--load-runtime",
     .key = "load_runtime",
     .nargs = "1",
     .metavar = "FILE",
     .help = "Runtime library for engines without a lean runtime.",
     .heading = kEngine,
     .type = PGB_PATH,
     .loader = "LoadRuntime",
     .argument = "path",
     .stages = PGB_RUNS},
    {.spellings = "--dla-workspace-allocation-strategy",
     .key = "dla_workspace_allocation_strategy",
     .nargs = "1",
     .metavar = "STRATEGY",
     .help = "Allocation strategy for DLA's workspace (TensorRT 11.3 or newer).",
     .heading = kEngine,
     .loader = "EngineFromBytes",
     .enumeration = "DLAWorkspaceAllocationStrategy",
     .stages = PGB_RUNS},
    // The engine was built for this run: its file has a name that the user does not know.
    {.spellings = nullptr, .key = "unnamed_engine", .nargs = "0", .stages = PGB_RUNS},
    {.spellings = "--optimization-profile",
     .key = "optimization_profile",
     .nargs = "1",
     .metavar = "N",
     .help = "Index of the optimization profile to run with. Default: 0.",
     .heading = kInference,
     .type = PGB_INTEGER,
     .loader = "TrtRunner",
     .stages = PGB_RUNS},
    {.spellings = "--allocation-strategy",
     .key = "allocation_strategy",
     .nargs = "1",
     .choices = "static profile runtime",
     .help = "Allocation of activation memory: once for all profiles (static, the default), for "
             "the profile, or for the shapes of each run (runtime).",
     .heading = kInference,
     .loader = "TrtRunner",
     .stages = PGB_RUNS},
    {.spellings = "--weight-streaming-budget",
     .key = "weight_streaming_budget",
     .nargs = "1",
     .metavar = "BUDGET",
     .help = "GPU memory for streamable weights: bytes (512M), a percentage (30%), -1 (TensorRT "
             "chooses) or -2 (all).",
     .heading = kInference,
     .loader = "TrtRunner",
     .stages = PGB_RUNS},
    {.spellings = "--trt-driver",
     .key = "trt_driver",
     .nargs = "1",
     .metavar = "PATH",
     .help = "CUDA driver library. Default: the system's libcuda.so.1.",
     .heading = kInference,
     .type = PGB_PATH,
     .ours = 1},
};

const char* const kLevels[] = {"0", "3", "5", nullptr};

constexpr pgb_switches kSwitches = {
    .struct_size = sizeof(pgb_switches),
    .level = "builder_optimization_level",
    .levels = kLevels,
    .save = "save_engine",
    .saved_format = "engine",
};

}  // namespace

extern "C" const pgb_backend_options backend_options_tensorrt;
const pgb_backend_options backend_options_tensorrt = {
    .struct_size = sizeof(pgb_backend_options),
    .name = "tensorrt",
    .flags = "--trt",
    .runner_prefix = "trt-runner",
    .title = kBuilder,
    .summary = "Run inference using TensorRT",
    .remedy =
        "Install it with `pip install tensorrt` (or tensorrt_rtx) in the active Python "
        "environment, or name "
        "the library (libnvinfer.so, libtensorrt_rtx.so) with --trt-lib PATH or "
        "POLYGRAPHY_TRT_LIB.",
    .library_env = "POLYGRAPHY_TRT_LIB",
    .library_option = "--trt-lib",
    .site_packages_patterns = kSitePackages,
    .sonames = kSonames,
    .formats = kFormats,
    .format_count = std::size(kFormats),
    .options = kOptions,
    .option_count = std::size(kOptions),
    .own_process = 1,
    .switches = &kSwitches,
};
