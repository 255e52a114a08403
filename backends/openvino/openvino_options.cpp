// What OpenVINO adds to the command line. Compiled into the host as well: pure data.
#include "polygraphy/backend.h"

namespace {

const char* const kSitePackages[] = {"openvino/libs/libopenvino_c.so*", nullptr};
const char* const kSonames[] = {"libopenvino_c.so", nullptr};

const pgb_option_spec kOptions[] = {
    {"--openvino-device", "device", "1", "DEVICE", nullptr,
     "The OpenVINO device to run on: CPU (the default), GPU, NPU, AUTO:GPU,CPU ...", 1},
    {"--openvino-precision", "precision", "1", nullptr, "f32 bf16 f16 native",
     "The precision that inference may use. Default: f32. 'native' leaves the choice to OpenVINO, "
     "which takes "
     "bfloat16 or float16 on processors that have it.",
     1},
    {"--openvino-threads", "threads", "1", "N", nullptr,
     "Threads of inference. Default: OpenVINO's own choice.", 1},
    {"--openvino-properties", "properties", "+", "KEY=VALUE", nullptr,
     "Properties handed to the device as they are, such as NUM_STREAMS=1.", 1},
};

}  // namespace

extern "C" const pgb_backend_options backend_options_openvino;
const pgb_backend_options backend_options_openvino = {
    sizeof(pgb_backend_options),
    "openvino",
    "--openvino --ov",
    "openvino-runner",
    "OpenVINO Model Compilation",
    "Run inference using OpenVINO",
    "Install it with `pip install openvino` in the active Python environment, or name the library "
    "with "
    "--openvino-lib PATH or POLYGRAPHY_OPENVINO_LIB.",
    "POLYGRAPHY_OPENVINO_LIB",
    "--openvino-lib",
    kSitePackages,
    kSonames,
    kOptions,
    sizeof(kOptions) / sizeof(kOptions[0]),
    1,
};
