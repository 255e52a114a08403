// `polygraphy debug locate`.
#include "cli/args/noise.h"
#include "cli/args/onnx_loading.h"
#include "cli/jobs/locate_command.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {

namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_runners},
    {&args_backend_path},
    {&args_required_model, "model_file --model-type --input-shapes"},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_engines},
    {&args_data_loader},
    {&args_decoding, "--prompt --prompts --tokenizer --decoder-names"},
    {&args_isolation},
    {&args_onnx_saving,
     "--save-external-data --external-data-size-threshold --no-save-all-tensors-to-one-file "
     "--share-external-data"},
    {&args_comparison, "--load-outputs --no-shape-check --compare"},
    {&args_simple},
    {&args_other_functions},
    {&args_task_metric, "--metric --labels --metric-output --metric-drop --metric-confidence"},
    {&args_noise, "--noise-runs --noise-threshold --quantization-noise"},
    {&args_report_forms},
    {&args_distribution},
};

constexpr Option kOptions[] = {
    {.spellings = "--trust",
     .help = "The side with the correct results: the beginning of a runner's name, or a file of "
             "--load-outputs. Default: the saved outputs, else the first runner.",
     .metavar = "NAME"},
    {.spellings = "--target-precision",
     .help = "The target's precision: its unavoidable rounding errors are not reported. Default: "
             "auto (the coarser of both runners' precisions).",
     .choices = kFormatChoices},
    {.spellings = "--float-model",
     .help = "The model in floating point, if the model is quantised or has a smaller format: the "
             "correct side runs it. One runner is enough. Rounding of quantised weights counts as "
             "noise.",
     .files = FileUse::kRead,
     .metavar = "FILE"},
    {.spellings = "--decode-step",
     .help = "Examine this decode step of a language model (0: the prefill), with the reference's "
             "cache.",
     .type = ValueType::kInt,
     .metavar = "STEP",
     .origin = Origin::kOurs},
    {.spellings = "--no-neighbours",
     .help = "Do not run nodes together with the nodes that engines fuse them with.",
     .arity = Arity::kFlag},
    {.spellings = "--remedy",
     .help =
         "Find the fewest nodes that must compute in float32 so that the outputs are within the "
         "tolerances, or the task is done as well (--metric). With --output, for float16: also "
         "write the model with Casts around them.",
     .arity = Arity::kFlag},
    {.spellings = "-o --output",
     .help = "Write the model with Casts to this file; requests --remedy.",
     .files = FileUse::kWritten},
    {.spellings = "--json",
     .help = "Write the results of every node to this file as JSON.",
     .files = FileUse::kWritten,
     .metavar = "FILE"},
    {.spellings = "--save-task",
     .help = "Write the figures of all tensors to this file: for workers of --on.",
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kInternal},
    {.spellings = "--part-bytes",
     .help = "The most that weights and tensors of a part of the model take.",
     .metavar = "BYTES",
     .origin = Origin::kInternal,
     .needs = "--save-task"},
    {.spellings = "--part-tensors",
     .help = "Folder for the reference's tensors of each part.",
     .type = ValueType::kFolder,
     .files = FileUse::kUpdated,
     .metavar = "FOLDER",
     .origin = Origin::kInternal,
     .needs = "--save-task"},
    {.spellings = "--in-place",
     .help = "The file of a task that ran the whole model. Run nodes alone.",
     .files = FileUse::kRead,
     .metavar = "FILE",
     .origin = Origin::kInternal,
     .needs = "--save-task"},
    {.spellings = "--parts",
     .help = "Numbers of the parts to examine, from 0: their nodes run alone.",
     .metavar = "I..J",
     .origin = Origin::kInternal,
     .needs = "--in-place"},
};

}  // namespace

extern constinit const Command command_debug_locate = {
    .path = "debug locate",
    .summary = "Find the nodes that make two runners differ.",
    .description =
        "Run a model on two runners, or a model and its float model on one, and each of its nodes "
        "alone on the second side with the inputs from the first. Report for each node whether it "
        "is guilty, a victim of other nodes, or within the unavoidable error of its precision.",
    .examples =
        "polygraphy debug locate model.onnx --onnxrt --openvino --json nodes.json\n"
        "polygraphy debug locate int4.onnx --float-model float.onnx --onnxrt --decode-step 5",
    .order = 5,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .failure = kCouldNotRun,
    .run = run_locate,
};

}  // namespace polygraphy::cli
