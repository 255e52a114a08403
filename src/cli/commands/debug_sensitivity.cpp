// `polygraphy debug sensitivity`.
#include "cli/args/backend_path.h"
#include "cli/args/comparison.h"
#include "cli/args/data_loader.h"
#include "cli/args/decoding.h"
#include "cli/args/engines.h"
#include "cli/args/html_report.h"
#include "cli/args/isolation.h"
#include "cli/args/logging.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/args/onnx_shape_inference.h"
#include "cli/args/other_functions.h"
#include "cli/args/simple.h"
#include "cli/args/task_metric.h"
#include "cli/jobs/sensitivity_command.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {

extern const ArgGroup args_runners;

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
    {&args_isolation, "--isolate --timeout --mem-limit"},
    {&args_onnx_saving,
     "--save-external-data --external-data-size-threshold --no-save-all-tensors-to-one-file "
     "--share-external-data"},
    {&args_comparison, "--compare"},
    {&args_simple},
    {&args_other_functions},
    {&args_task_metric, "--metric --labels --metric-output --metric-drop"},
    {&args_html_report},
};

constexpr Option kOptions[] = {
    {.spellings = "--format",
     .help = "Format of quantised weights: int8 (with the inputs of layers), int4, fp8, fp4, bf16 "
             "or fp16. Behind a colon, separated by commas: block=N, per-tensor, asymmetric, "
             "weights-only. Default: int8.",
     .metavar = "FORMAT"},
    {.spellings = "--float-model",
     .help = "The model in floating point, if the model is already quantised: find its layers that "
             "suffer.",
     .type = ValueType::kPath,
     .files = FileUse::kRead,
     .metavar = "FILE"},
    {.spellings = "--limit",
     .help =
         "Largest relative error of an output (norm of the differences in parts of the norm of "
         "the reference) that is accepted, unless --compare or --metric decides. Default: 0.01.",
     .type = ValueType::kFloat,
     .metavar = "ERROR"},
    {.spellings = "--most-sets",
     .help =
         "Largest number of sets of layers that the search tries. Default: 512, which are "
         "all sets of 9 layers; for more layers 64, or 16 more than these. 65536: all sets of 16. "
         "The search ends earlier if three eighths of them fail in a row, unless fewer are left.",
     .type = ValueType::kInt,
     .metavar = "COUNT"},
    {.spellings = "--embeddings",
     .help = "Quantise tables of Gather nodes, too.",
     .arity = Arity::kFlag},
    {.spellings = "-o --output",
     .help = "Write the mixed model to this file.",
     .type = ValueType::kPath,
     .files = FileUse::kWritten},
    {.spellings = "--save-exclusions",
     .help = "Write the nodes that stay in floating point to this file, as ModelOpt, ONNX Runtime "
             "and Olive take them (nodes_to_exclude).",
     .type = ValueType::kPath,
     .files = FileUse::kWritten,
     .metavar = "FILE"},
    {.spellings = "--json",
     .help = "Write the results to this file as JSON.",
     .type = ValueType::kPath,
     .files = FileUse::kWritten,
     .metavar = "FILE"},
};

}  // namespace

extern const Command command_debug_sensitivity;
constinit const Command command_debug_sensitivity = {
    .path = "debug sensitivity",
    .summary = "Find the layers that suffer from quantisation.",
    .description =
        "Quantise each layer of a model alone, show what that does to the layer's output and to "
        "the model's, and find the cheapest set of layers that must stay in floating point for the "
        "model's outputs to be within a limit, to agree by a comparison function, or to lose no "
        "more "
        "of the task's accuracy than a limit. One session runs all of these models.",
    .examples =
        "polygraphy debug sensitivity model.onnx --limit 0.05 -o mixed.onnx --save-exclusions "
        "nodes.json\n"
        "polygraphy debug sensitivity model.onnx --format int4 --prompts prompts.json --compare "
        "tokens:kl=0.02,margin=0.5",
    .order = 6,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .failure = kCouldNotRun,
    .run = run_sensitivity,
};

}  // namespace polygraphy::cli
