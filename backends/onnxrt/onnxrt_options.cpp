// What ONNX Runtime adds to the command line. Compiled into the host as well: pure data.
#include "polygraphy/backend.h"

namespace {

const char* const kSitePackages[] = {"onnxruntime/capi/libonnxruntime.so*", nullptr};
const char* const kSonames[] = {"libonnxruntime.so.1", "libonnxruntime.so", nullptr};

const pgb_option_spec kOptions[] = {
    {"--providers --execution-providers", "providers", "+", nullptr, nullptr,
     "Execution providers in order of priority: a full name, a part of one in any case ('cpu'), or "
     "the path of "
     "a provider's plugin library (*.so). Default: cpu.",
     0},
    {"--graph-optimization-level", "graph_optimization_level", "1", nullptr, nullptr,
     "How far ONNX Runtime may rewrite the graph: ORT_DISABLE_ALL, ORT_ENABLE_BASIC, "
     "ORT_ENABLE_EXTENDED, ORT_ENABLE_LAYOUT or ORT_ENABLE_ALL (the default).",
     0},
    {"--onnxrt-threads", "threads", "1", "N", nullptr,
     "Threads within and between operators. Default: one per processor that this process may use.",
     1},
};

}  // namespace

extern "C" const pgb_backend_options backend_options_onnxrt;
const pgb_backend_options backend_options_onnxrt = {
    sizeof(pgb_backend_options),
    "onnxrt",
    "--onnxrt",
    "onnxrt-runner",
    "ONNX-Runtime Session Creation",
    "Run inference using ONNX-Runtime",
    "Install it with `pip install onnxruntime` in the active Python environment, or name the "
    "library "
    "with --onnxrt-lib PATH or POLYGRAPHY_ONNXRT_LIB.",
    "POLYGRAPHY_ONNXRT_LIB",
    "--onnxrt-lib",
    kSitePackages,
    kSonames,
    kOptions,
    sizeof(kOptions) / sizeof(kOptions[0]),
    0,
};
