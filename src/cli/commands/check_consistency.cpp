// `polygraphy check consistency`.
#include "cli/args/backend_path.h"
#include "cli/args/data_loader.h"
#include "cli/args/decoding.h"
#include "cli/args/distribution.h"
#include "cli/args/engines.h"
#include "cli/args/html_report.h"
#include "cli/args/isolation.h"
#include "cli/args/logging.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_shape_inference.h"
#include "cli/args/simple.h"
#include "cli/jobs/consistency_command.h"
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
    {&args_onnx_loading,
     "--external-data-dir --ignore-external-data --onnx-outputs --onnx-exclude-outputs "
     "--onnx-outputs-by-type --fp-to-fp16"},
    {&args_engines},
    {&args_data_loader},
    {&args_decoding, "--decoder-names"},
    {&args_isolation},
    {&args_simple, "--rtol --atol"},
    {&args_html_report},
    {&args_distribution},
};

constexpr Option kOptions[] = {
    {.spellings = "--batch-size",
     .help = "Rows of a batch with a dynamic size: 2 to 65536. Default: 8.",
     .type = ValueType::kInt,
     .metavar = "ROWS"},
    {.spellings = "--batch-inputs",
     .help = "Inputs whose first dimension is the batch. Default: all axes with the name of the "
             "dynamic dimension with 'batch' in its name, or else of the first dynamic first "
             "dimension. A static first dimension is a batch only if its input is named here.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME"},
    {.spellings = "--list-checks",
     .help = "List the checks and exit.",
     .arity = Arity::kFlag,
     .answers = true},
    {.spellings = "--only-check",
     .help = "Run only these checks.",
     .arity = Arity::kOneOrMore,
     .metavar = "CHECK"},
    {.spellings = "--skip-check",
     .help = "Skip these checks.",
     .arity = Arity::kOneOrMore,
     .metavar = "CHECK"},
    {.spellings = "--json",
     .help = "Write the results to this file as JSON.",
     .type = ValueType::kPath,
     .files = FileUse::kWritten,
     .metavar = "FILE"},
    {.spellings = "--save-task",
     .help = "Write the results of a task to this file: for workers of --on.",
     .type = ValueType::kPath,
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kOurs},
    {.spellings = "--checks",
     .help = "The checks of a task, numbered from 0 through all engines.",
     .metavar = "I..J",
     .origin = Origin::kOurs,
     .needs = "--save-task"},
};

}  // namespace

extern const Command command_check_consistency;
constinit const Command command_check_consistency = {
    .path = "check consistency",
    .summary = "Check that an engine is consistent with itself.",
    .description =
        "Run a model on an engine under changes that must not change its results, and compare "
        "them: the same input again, rows of a batch alone, together and reordered, other numbers "
        "of threads, without optimisation, saved and loaded, in a separate process. It needs no "
        "reference.",
    .examples =
        "polygraphy check consistency model.onnx --onnxrt\n"
        "polygraphy check consistency model.onnx --openvino --only-check threads batch",
    .order = 3,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .failure = kCouldNotRun,
    .run = run_consistency,
};

}  // namespace polygraphy::cli
