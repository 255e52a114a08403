// `polygraphy debug precision`.
#include "base/os/writable.h"
#include "cli/args/debugging.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/side_by_side.h"
#include "cli/jobs/engine_job.h"
#include "cli/jobs/tf_model.h"
#include "cli/scripts/trt_script.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/diagnosis/precision/find_precision.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kArtifact = "polygraphy_debug.engine";
constexpr std::string_view kOutput = "polygraphy_precision.onnx";

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_pass_fail, kCommandCheckOptions},
    {&args_side_by_side},
    {&args_artifact_sorting},
    {&args_iterative_debugging,
     "--iter-artifact --no-remove-intermediate --iter-info --load-debug-replay "
     "--save-debug-replay"},
    {&args_required_model, "model_file --model-type"},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_data_loader},
    {.group = &args_engines, .heading = kTrtConfigHeading},
    {.group = &args_engines, .heading = kTrtParserHeading},
    {.group = &args_engines, .heading = kTrtNetworkHeading},
    {&args_engines, "--save-timing-cache --trt-lib --trt-driver"},
    {&args_isolation, "--timeout"},
    {&args_backend_path},
};

constexpr Option kOptions[] = {
    {.spellings = "--mode",
     .help =
         "Search for the layers that need a higher precision. bisect and linear mark layers from "
         "one end of the network: half of them, or one more each time. auto (new) finds nodes "
         "anywhere in the model, and writes a float16 model that keeps them in float32. Default: "
         "bisect; auto if types come from the model (TensorRT 11, TensorRT-RTX, --strongly-typed).",
     .choices = "bisect linear auto",
     .added_choices = "auto"},
    {.spellings = "--dir --direction",
     .help = "End of the network to mark layers from: its inputs (forward) or its outputs "
             "(reverse). Default: forward.",
     .choices = "forward reverse"},
    {.spellings = "-p --precision",
     .help = "Higher precision. Default: float32.",
     .choices = "float32 float16"},
    {.spellings = "-o --output",
     .help = "With --mode auto: write the model to this file. Default: polygraphy_precision.onnx.",
     .files = FileUse::kWritten,
     .origin = Origin::kOurs},
};

PrecisionJob resolve_job(Session& session) {
  const ParsedArgs& args = session.args();
  ModelSource model = resolve_model(args, session.env(), session.log());
  if (model.format == "engine") {
    throw Error("Layers of an engine cannot be changed, and neither can their precisions.",
                "Model: " + model.path + "\nGive the ONNX model of the engine.");
  }
  const auto mode = parse_word<PrecisionMode>(args.text("--mode").value_or(""));
  if (mode == PrecisionMode::kAuto) {
    require_or_make_onnx(session, model);
  } else {
    require_script_or_make_onnx(session, model);
  }
  PrecisionJob job{.engine = resolve_engine_job(session, model),
                   .mode = mode,
                   .reverse = args.text("--dir").value_or("forward") == "reverse",
                   .loop = resolve_loop(args, kArtifact)};
  if (args.text("--precision").value_or("float32") == "float16") job.precision = DataType::kFloat16;
  job.output.typed = args.text("--output").value_or(std::string(kOutput));
  job.output.path = session.env().path(job.output.typed);
  if (!args.has("--output")) refuse_link(job.output.path);
  job.jobs = static_cast<int>(resolve_side_by_side(session).slots);
  job.check = make_check(session, job.jobs > 1 ? job.loop.artifact : std::string());
  return job;
}

int run_command(Session& session) {
  const PrecisionJob job = resolve_job(session);
  session.announce();
  const DeferredInterrupts interrupts(session.env(), DeferredSignals::kAll);
  find_precision(job, session.log());
  interrupts.check();
  return 0;
}

}  // namespace

extern constinit const Command command_debug_precision = {
    .path = "debug precision",
    .summary = "Find the parts of a model that need a higher precision.",
    .description =
        "Build engines with parts of the model in a higher precision, check each, and find how "
        "many layers from one end of the network, or which fewest nodes of the model, must have it "
        "for the check to pass. Give a command that checks the file polygraphy_debug.engine with "
        "--check, or answer on the terminal.",
    .examples =
        "polygraphy debug precision model.onnx --fp16 --mode bisect --check ./check.sh {model}\n"
        "polygraphy debug precision model.onnx --mode auto -o mixed.onnx --check ./check.sh "
        "{model}",
    .order = 1,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .is_outside = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
