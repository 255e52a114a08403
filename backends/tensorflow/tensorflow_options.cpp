// Command-line options of TensorFlow. Pure data, compiled into the host as well.
#include <iterator>

#include "polygraphy/backend.h"

namespace {

const char* const kSitePackages[] = {"tensorflow/libtensorflow_cc.so.2", nullptr};
const char* const kSonames[] = {"libtensorflow_cc.so.2", "libtensorflow.so.2", nullptr};

// The host converts a Keras model to a SavedModel before loading, and distinguishes a SavedModel
// from a folder with a checkpoint.
constexpr pgb_model_format kFormats[] = {{"frozen", "*.graphdef *.pb"},
                                         {"saved_model", ""},
                                         {"ckpt", "*.meta"},
                                         {"keras", "*.keras *.h5 *.hdf5"}};

constexpr const char* kSessionHeading = "TensorFlow Session Configuration";
constexpr const char* kInferenceHeading = "TensorFlow Inference";
constexpr const char* kConversionHeading = "TensorFlow-ONNX Model Conversion";
constexpr const char* kTensorRtHeading = "TensorFlow-TensorRT Integration";

constexpr pgb_option_spec kOptions[] = {
    {.spellings = "--tftrt --use-tftrt",
     .key = "tftrt",
     .nargs = "0",
     .help = "Accepted for compatibility: TensorRT within TensorFlow is not available.",
     .heading = kTensorRtHeading},
    {.spellings = "--minimum-segment-size",
     .key = "minimum_segment_size",
     .nargs = "1",
     .help = "Accepted for compatibility; no effect.",
     .heading = kTensorRtHeading,
     .type = PGB_INTEGER},
    {.spellings = "--dynamic-op",
     .key = "dynamic_op",
     .nargs = "0",
     .help = "Accepted for compatibility; no effect.",
     .heading = kTensorRtHeading},
    {.spellings = "--ckpt",
     .key = "ckpt",
     .nargs = "1",
     .metavar = "NAME",
     .help =
         "Name of the checkpoint, if the folder has no file `checkpoint`: model, for model.meta."},
    {.spellings = "--tf-outputs",
     .key = "tf_outputs",
     .nargs = "+",
     .metavar = "NAME",
     .help =
         "Tensors to mark as outputs of the TensorFlow runner, by name; '*' for all. Default: the "
         "outputs of the signature or, without a signature, the tensors that no node uses."},
    {.spellings = "--save-pb",
     .key = "save_pb",
     .nargs = "1",
     .metavar = "FILE",
     .help = "Save the executed graph as a GraphDef.",
     .type = PGB_WRITTEN_FILE},
    {.spellings = "--save-tensorboard",
     .key = "save_tensorboard",
     .nargs = "1",
     .metavar = "FOLDER",
     .help = "Save the executed graph for TensorBoard.",
     .type = PGB_WRITTEN_FOLDER},
    {.spellings = "--freeze-graph",
     .key = "freeze_graph",
     .nargs = "0",
     .help = "Freeze the graph, and remove nodes that its outputs do not need. Needs Python with "
             "TensorFlow."},
    {.spellings = "--tf-signature",
     .key = "signature",
     .nargs = "1",
     .metavar = "NAME",
     .help = "Signature of the SavedModel to run. Default: serving_default, else the first.",
     .ours = 1},
    {.spellings = "--gpu-memory-fraction",
     .key = "gpu_memory_fraction",
     .nargs = "1",
     .metavar = "FRACTION",
     .help = "Maximum fraction of the GPU's memory for TensorFlow. Default: 0.9.",
     .heading = kSessionHeading,
     .type = PGB_NUMBER,
     .loader = "CreateConfig"},
    {.spellings = "--allow-growth",
     .key = "allow_growth",
     .nargs = "0",
     .help = "Allocate the GPU's memory on demand.",
     .heading = kSessionHeading,
     .loader = "CreateConfig"},
    {.spellings = "--xla",
     .key = "xla",
     .nargs = "0",
     .help = "Compile the graph with XLA.",
     .heading = kSessionHeading,
     .loader = "CreateConfig",
     .argument = "use_xla"},
    {.spellings = "--save-timeline",
     .key = "save_timeline",
     .nargs = "1",
     .metavar = "FOLDER",
     .help = "Time each node, and save a Chrome trace of each inference.",
     .heading = kInferenceHeading,
     .type = PGB_WRITTEN_FOLDER,
     .loader = "TfRunner",
     .argument = "timeline_path"},
    {.spellings = "--opset",
     .key = "opset",
     .nargs = "1",
     .metavar = "N",
     .help = "Opset of the ONNX model converted from a TensorFlow model for other runners. "
             "Default: tf2onnx chooses.",
     .heading = kConversionHeading,
     .type = PGB_INTEGER},
};

}  // namespace

extern "C" const pgb_backend_options backend_options_tensorflow;
const pgb_backend_options backend_options_tensorflow = {
    .struct_size = sizeof(pgb_backend_options),
    .name = "tensorflow",
    .flags = "--tf",
    .flags_ours = 0,
    .runner_prefix = "tf-runner",
    .title = "TensorFlow Model Loading",
    .summary = "Run inference using TensorFlow",
    .remedy =
        "Install it with `pip install tensorflow` in the active Python environment, or name "
        "the library (libtensorflow_cc.so.2) with --tf-lib PATH or POLYGRAPHY_TF_LIB.",
    .library_env = "POLYGRAPHY_TF_LIB",
    .library_option = "--tf-lib",
    .site_packages_patterns = kSitePackages,
    .sonames = kSonames,
    .formats = kFormats,
    .format_count = std::size(kFormats),
    .options = kOptions,
    .option_count = std::size(kOptions),
};
