// `polygraphy debug reduce`.
#include "cli/args/backend_path.h"
#include "cli/args/comparison.h"
#include "cli/args/data_loader.h"
#include "cli/args/debugging.h"
#include "cli/args/engines.h"
#include "cli/args/html_report.h"
#include "cli/args/logging.h"
#include "cli/args/model.h"
#include "cli/args/model_checks.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/args/onnx_shape_inference.h"
#include "cli/args/other_functions.h"
#include "cli/args/side_by_side.h"
#include "cli/args/simple.h"
#include "cli/args/task_metric.h"
#include "cli/jobs/reduce_command.h"
#include "cli/syntax/command.h"
#include "polygraphy/diagnosis/reduce/reproduction.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_pass_fail},
    {&args_model_checks},
    {&args_comparison, "--no-shape-check --compare"},
    {&args_simple, "--rtol --atol --check-error-stat --infinities-compare-equal --error-quantile"},
    {&args_other_functions},
    {&args_task_metric, "--metric --labels --metric-output --metric-drop --metric-confidence"},
    {&args_engines},
    {&args_side_by_side},
    {&args_artifact_sorting},
    {&args_iterative_debugging,
     "--iter-artifact --no-remove-intermediate --iter-info --load-debug-replay "
     "--save-debug-replay"},
    {&args_required_model, "model_file --model-input-shapes"},
    {&args_onnx_saving, kSavingOptions, "--output"},
    {&args_onnx_shape_inference,
     "--no-shape-inference --force-fallback-shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_data_loader},
    {&args_backend_path},
    {&args_html_report},
};

constexpr Option kOptions[] = {
    {.spellings = "--min-good --minimal-good",
     .help = "Write a model that passes, as close as possible in size to the reduced one, to this "
             "file.",
     .type = ValueType::kPath,
     .files = FileUse::kWritten},
    {.spellings = "--no-reduce-inputs",
     .help = "Keep the model's inputs: remove nodes from the end only.",
     .arity = Arity::kFlag,
     .exclusive = 21},
    {.spellings = "--no-reduce-outputs",
     .help = "Keep the model's outputs: remove nodes from the beginning only.",
     .arity = Arity::kFlag,
     .exclusive = 21},
    {.spellings = "--mode",
     .help = "bisect halves the model with each check; linear tries every node, and may find a "
             "smaller model; auto (new) finds the failing nodes anywhere in the model, and counts "
             "only failures like that of the whole model. Default: bisect.",
     .choices = "bisect linear auto",
     .added_choices = "auto"},
    {.spellings = "--start-at",
     .help = "With --mode auto: start the search at this node, or at the producer of this tensor, "
             "named as in the output of debug locate, also inside If, Loop, Scan and functions: "
             "Loop_1/body/Exp_4. The node is checked alone first, then with its neighbours. "
             "Repeatable.",
     .arity = Arity::kOneOrMore,
     .metavar = "NODE",
     .origin = Origin::kOurs,
     .needs = "--mode=auto"},
    {.spellings = "--journal",
     .help = "Write every verdict to this file immediately, so that --resume can continue after a "
             "crash or a kill. With it, equal candidates are checked once in every mode. It must "
             "not exist yet.",
     .type = ValueType::kPath,
     .files = FileUse::kUpdated,
     .origin = Origin::kOurs},
    {.spellings = "--resume",
     .help = "Continue at the end of the --journal, without checking its candidates again. The "
             "model, the check and the input data must be the same; the mode may differ.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
    {.spellings = "--reproduction",
     .help = "Write a folder that reproduces the failure: the reduced model, its input data, the "
             "check, versions, and a README.md. Default with --mode auto: the output's name with "
             "_reproduction; '': none.",
     .type = ValueType::kFolder,
     .files = FileUse::kWritten,
     .folder_files = kReproductionFiles,
     .may_be_empty = true,
     .origin = Origin::kOurs},
    {.spellings = "--work-dir",
     .help = "Folder for the candidates, created if missing; shared with the "
             "other machines of --on or --launcher. Default: the folder of --iter-artifact.",
     .type = ValueType::kFolder,
     .files = FileUse::kWritten,
     .origin = Origin::kOurs},
};

}  // namespace

extern const Command command_debug_reduce;
constinit const Command command_debug_reduce = {
    .path = "debug reduce",
    .summary = "Shrink a failing model to the nodes that fail.",
    .description =
        "Remove nodes from a failing ONNX model, check the rest, and continue to the smallest "
        "model that still fails. Give a command that checks the file polygraphy_debug.onnx with "
        "--check, or answer on the terminal.",
    .examples =
        "polygraphy debug reduce model.onnx -o reduced.onnx --mode auto --check-run onnxrt "
        "openvino\n"
        "polygraphy debug reduce model.onnx -o reduced.onnx --check ./check.sh {model}",
    .order = 2,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .run = run_reduction,
};

}  // namespace polygraphy::cli
