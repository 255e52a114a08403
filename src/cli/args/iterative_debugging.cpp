#include <ctime>

#include <filesystem>

#include "base/cancel.h"
#include "base/log_modules.h"
#include "base/os/writable.h"
#include "base/py_numbers.h"
#include "cli/args/debugging.h"
#include "cli/args/model_checks.h"
#include "cli/args/side_by_side.h"
#include "cli/session/command_progress.h"
#include "cli/syntax/arg_group.h"
#include "polygraphy/diagnosis/debug_loop/loop.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--iter-artifact --intermediate-artifact",
     .help = "File that each iteration writes for the check. It must not exist yet. Default: "
             "polygraphy_debug.onnx; for engines polygraphy_debug.engine.",
     .files = FileUse::kWritten,
     .may_be = "--check"},
    {.spellings = "--no-remove-intermediate",
     .help = "Keep the intermediate file of the last iteration.",
     .arity = Arity::kFlag},
    {.spellings = "--iter-info --iteration-info",
     .help = "Write the iteration number to this JSON file, for the check: {\"iteration\": 0}.",
     .files = FileUse::kWritten,
     .may_be = "--check"},
    {.spellings = "--until",
     .help = "Stop after N iterations, or at the first good or bad one.",
     .metavar = "good|bad|N",
     .required = true},
    {.spellings = "--load-debug-replay",
     .help = "Reuse the verdicts of an earlier session instead of running the check again.",
     .files = FileUse::kRead},
    {.spellings = "--save-debug-replay",
     .help = "Save the verdicts to this file after every iteration. A second file, with "
             "_skip_current in its name, is saved before each iteration and counts that iteration "
             "as failed. Default: polygraphy_debug_replay.json; '': none.",
     .files = FileUse::kWritten,
     .may_be = "--load-debug-replay",
     .may_be_empty = true},
};

// The date and time as Python's %x and %X have them, for names of files.
std::string stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%m-%d-%y_%H-%M-%S", &local)};
}

}  // namespace

extern constinit const ArgGroup args_iterative_debugging = {
    .title = "Iterative Debugging", .summary = "Iterations and their files.", .options = kOptions};

LoopOptions resolve_loop(const ParsedArgs& args, std::string_view default_artifact) {
  LoopOptions options;
  if (args.syntax().find("--iter-artifact")) {
    options.artifact = args.text("--iter-artifact").value_or(std::string(default_artifact));
    options.keep_artifact = args.has("--no-remove-intermediate");
  }
  options.iter_info = args.text("--iter-info").value_or("");
  options.artifacts = {.paths = args.list("--artifacts"),
                       .folder = args.text("--art-dir").value_or("polygraphy_artifacts"),
                       .stamp = stamp()};
  if (!args.has("--art-dir") && !options.artifacts.paths.empty())
    refuse_link(options.artifacts.folder);
  if (args.syntax().find("--save-debug-replay")) {
    options.load_replay = args.text("--load-debug-replay").value_or("");
    options.save_replay = args.text("--save-debug-replay").value_or("polygraphy_debug_replay.json");
    if (!args.has("--save-debug-replay")) {
      for (const std::string& path : {options.save_replay, skip_current(options.save_replay)})
        refuse_link(path);
    }
  }
  return options;
}

Until resolve_until(const ParsedArgs& args) {
  const std::string text = args.text("--until").value_or("");
  if (text == "good") return {.kind = Until::Kind::kGood};
  if (text == "bad") return {.kind = Until::Kind::kBad};
  const auto count = parse_int(text);
  if (!count) {
    throw Error("--until value must be an integer, 'good', or 'bad', but was: " + text);
  }
  return {.kind = Until::Kind::kCount, .count = *count};
}

MakeCheck make_check(Session& session, const std::string& artifact_of_several,
                     const CandidateInputs& inputs) {
  Environment& env = session.env();
  const ParsedArgs& args = session.args();
  Allocation allocation;
  if (args.syntax().find("--on")) allocation = resolve_side_by_side(session);
  if (const ModelCheck* kind = selected_model_check(args)) {
    if (!allocation.launcher.empty() && args.has("--on")) {
      throw Error("--on " + args.text("--on").value_or("") + " starts check commands, but " +
                      option_of(*kind) + " works in processes of this machine",
                  "Use --on local:N, or a command with --check.");
    }
    return make_selected_check(*kind, session, inputs);
  }
  refuse_options_of_checks(args);
  const bool several = !artifact_of_several.empty();
  if (args.has("--check")) {
    const CommandCheckOptions options = resolve_check(args);
    if (several && names_one_file_only(options.command, artifact_of_several)) {
      throw Error(
          "With --on, --jobs or --work-dir, the path of the file to check varies, but the check "
          "command names " +
              std::filesystem::path(artifact_of_several).filename().string(),
          "Write {model} in the command instead of the file's name, or read the path from "
          "$POLYGRAPHY_DEBUG_MODEL.");
    }
    // Each check has separate patterns; all checks share the learned time limit.
    const auto learned = std::make_shared<LearnedTimeout>(kTimeoutRemedy);
    return
        [&args, learned, allocation, executable = env.executable](Logger& log, CancelToken cancel) {
          CommandCheckOptions own = resolve_check(args);
          own.polygraphy = executable;
          own.launcher = allocation.launcher;
          own.launched_status = allocation.status;
          own.learned = learned;
          return command_check(std::move(own), log, cancel);
        };
  }
  if (several) {
    throw Error("Checks side by side need a check that runs without the terminal",
                "Give a command with --check, or an in-process check, such as --check-crash.");
  }
  session.log().info(log_modules::kIterativeDebug,
                     "Starting interactive debugging session since no `--check` command was "
                     "provided");
  return [&env](Logger&, CancelToken) {
    return interactive_check([&env](const std::string& question) -> std::optional<std::string> {
      write_above_progress(env, env.out, question);
      return env.in ? env.in->line() : std::nullopt;
    });
  };
}

}  // namespace polygraphy::cli
