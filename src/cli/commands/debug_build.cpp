// `polygraphy debug build`.
#include "base/log_modules.h"
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
#include "polygraphy/diagnosis/precision/engine_rounds.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_pass_fail, kCommandCheckOptions},
    {&args_side_by_side},
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
  ModelSource model = resolve_model(args, session.env(), session.log());
  require_script_or_make_onnx(session, model);
  const Until until = resolve_until(args);
  const LoopOptions options = resolve_loop(args, "polygraphy_debug.engine");
  const EngineJob job = resolve_engine_job(session, model);
  const int jobs = static_cast<int>(resolve_side_by_side(session).slots);
  const MakeCheck check = make_check(session, jobs > 1 ? options.artifact : std::string());
  const EngineRounds how = engine_rounds(job, options, check, jobs);
  session.announce();
  const DeferredInterrupts interrupts(session.env(), DeferredSignals::kAll);
  DebugLoop loop(how.loop, session.log());
  Rounds rounds(loop, how.rounds, session.log());
  const auto work = [&](int64_t round) {
    const auto make = [&](const RoundFiles& files, Logger& log, CancelToken cancel) {
      return build_for_round(job, options.artifact, files, log_modules::kDebugBuild, log, cancel);
    };
    return RoundWork{.key = std::to_string(round), .make = make};
  };
  const auto run = [&](int64_t round) {
    const auto next = made_of<RoundWork, int64_t>(
        rounds_after(until, round), [&](int64_t later) { return std::optional(work(later)); });
    return rounds.run(work(round), next);
  };
  repeat(until, loop, run, session.log());
  interrupts.check();
  return 0;
}

}  // namespace

extern constinit const Command command_debug_build = {
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
