// What ONNX Runtime adds to the command line. Compiled into the host as well: pure data.
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
             "('cpu'), or the path of a provider's plugin library (*.so). Default: cpu."},
    {.spellings = "--graph-optimization-level",
     .key = "graph_optimization_level",
     .nargs = "1",
     .help = "How far ONNX Runtime may rewrite the graph: ORT_DISABLE_ALL, ORT_ENABLE_BASIC, "
             "ORT_ENABLE_EXTENDED, ORT_ENABLE_LAYOUT or ORT_ENABLE_ALL (the default)."},
    {.spellings = "--onnxrt-threads",
     .key = "threads",
     .nargs = "1",
     .metavar = "N",
     .help = "Threads within and between operators. Default: one per processor that this process "
             "may use.",
     .ours = 1},
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
};
