// `polygraphy debug build`.
#include "base/log_modules.h"
#include "cli/args/backend_path.h"
#include "cli/args/data_loader.h"
#include "cli/args/debugging.h"
#include "cli/args/engines.h"
#include "cli/args/isolation.h"
#include "cli/args/logging.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_shape_inference.h"
#include "cli/jobs/engine_job.h"
#include "cli/jobs/option_warnings.h"
#include "cli/jobs/tf_model.h"
#include "cli/scripts/trt_script.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"
#include "polygraphy/runtimes/compiled/round_engine.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_pass_fail, kCommandCheckOptions},
    {&args_artifact_sorting},
    {&args_iterative_debugging, "--iter-artifact --no-remove-intermediate --iter-info --until"},
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

int run_command(Session& session) {
  const ParsedArgs& args = session.args();
  warn_of_removed_options(args, session.log());
  ModelArgs model = resolve_model(args, session.env(), session.log());
  require_script_or_make_onnx(session, model);
  const Until until = resolve_until(args);
  const LoopOptions options = resolve_loop(args, "polygraphy_debug.engine");
  const EngineJob job = resolve_engine_job(session, model);
  const auto check = make_check(session)(session.log(), cancel_token(session.env()));
  session.announce();
  const DeferredInterrupts interrupts(session.env(), DeferredSignals::kAll);
  DebugLoop loop(options, session.log());
  repeat(until, loop, *check, session.log(), [&] {
    return build_round_engine([&] { build_engine(job, loop.artifact(), session.log()); },
                              log_modules::kDebugBuild, session.log());
  });
  interrupts.check();
  return 0;
}

}  // namespace

extern const Command command_debug_build;
constinit const Command command_debug_build = {
    .path = "debug build",
    .summary = "Build a TensorRT engine repeatedly, and check each build.",
    .description =
        "Build an engine from the same model repeatedly, check each build, and sort the files that "
        "the checks write: for engines that are correct only sometimes.",
    .examples =
        "polygraphy debug build model.onnx --save-tactics t.json --artifacts t.json --until 9 "
        "--check ./check.sh {model}\n"
        "polygraphy debug build model.onnx --until bad --check ./check.sh {model}",
    .order = 0,
    .groups = kGroups,
    .announces = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
