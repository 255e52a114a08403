#include "cli/jobs/reduce_command.h"

#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/shell_words.h"
#include "cli/args/debugging.h"
#include "cli/args/model_checks.h"
#include "cli/args/onnx_saving.h"
#include "cli/args/side_by_side.h"
#include "cli/jobs/check_fingerprint.h"
#include "cli/jobs/command_setup.h"
#include "cli/jobs/report_file.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/runner_tools.h"
#include "graphsurgeon/ir/tensor_names.h"
#include "polygraphy/comparison/task_metrics/judged_output.h"
#include "polygraphy/diagnosis/reduce/reduce_job.h"
#include "polygraphy/diagnosis/reduce/reduction_page.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/runtimes/runner_factory/library_version.h"

namespace polygraphy::cli {
namespace {

ReduceMode resolve_mode(const ParsedArgs& args) {
  const std::string mode = args.text("--mode").value_or("bisect");
  if (mode == "auto") return ReduceMode::kAuto;
  return mode == "linear" ? ReduceMode::kLinear : ReduceMode::kBisect;
}

std::vector<std::string> start_nodes(const ParsedArgs& args) {
  std::vector<std::string> nodes;
  for (std::vector<std::string>& names : args.all("--start-at"))
    nodes.insert(nodes.end(), std::make_move_iterator(names.begin()),
                 std::make_move_iterator(names.end()));
  return nodes;
}

std::optional<JournalOptions> resolve_journal(Session& session) {
  const ParsedArgs& args = session.args();
  const bool resume = args.has("--resume");
  if (!args.has("--journal")) {
    if (!resume) return std::nullopt;
    throw Error("--resume needs a journal to continue", "Name it with --journal.");
  }
  const std::string typed = args.text("--journal").value_or("");
  return JournalOptions{.path = session.env().path(typed),
                        .typed = typed,
                        .resume = resume,
                        .check = fingerprint_of_check(args)};
}

std::optional<Reproduction> resolve_reproduction(Session& session) {
  const ParsedArgs& args = session.args();
  const std::string typed = args.text("--reproduction").value_or("");
  if (args.has("--reproduction") && typed.empty()) return std::nullopt;
  Reproduction reproduction{.folder = session.env().path(typed),
                            .typed = typed,
                            .options = model_check_words(args),
                            .runners = runner_words(args),
                            .artifact = resolve_loop(args, kCandidateFile).artifact};
  if (args.has("--check")) reproduction.command = resolve_check(args).command;
  return reproduction;
}

LoopOptions loop_in(const std::optional<std::string>& work_dir, LoopOptions loop) {
  namespace fs = std::filesystem;
  if (work_dir) loop.artifact = (fs::path(*work_dir) / fs::path(loop.artifact).filename()).string();
  return loop;
}

void resolve_checking(Session& session, ReduceJob& job) {
  const ParsedArgs& args = session.args();
  ReduceOptions& options = job.options;
  // The check must use the path of the file.
  const bool has_own_paths = options.jobs > 1 || (args.has("--work-dir") && args.has("--check"));
  // The inputs of candidates for in-process checks are known once the model is loaded.
  const auto values = std::make_shared<CandidateInputs>();
  const MakeCheck check = make_check(session, has_own_paths ? options.loop.artifact : std::string(),
                                     [values](const Metadata& inputs, int64_t sample, Logger& log) {
                                       return (*values)(inputs, sample, log);
                                     });
  options.check = [values, check](const CandidateInputs& inputs) {
    *values = inputs;
    return check;
  };
  const bool wants_artifacts = !options.loop.artifacts.paths.empty() ||
                               args.has("--iter-artifact") || options.loop.keep_artifact;
  job.weightless_candidates = selected_model_check(args) != nullptr && !wants_artifacts;
  options.links_weights = check_reads_links(args);
}

ReduceJob resolve_job(Session& session, const CommandSetup& setup) {
  const ParsedArgs& args = session.args();
  Environment& env = session.env();
  ReduceJob job;
  job.model = setup.source;
  job.shapes = setup.model.shapes;
  job.observe_shapes = args.has("--force-fallback-shape-inference");
  job.output = job.good = resolve_onnx_saving(args, env);
  job.good.typed = args.text("--min-good").value_or("");
  job.good.path = env.path(job.good.typed);
  const std::optional<std::string> work_dir = args.text("--work-dir");
  if (work_dir) job.work_dir = env.path(*work_dir);
  job.options = {.mode = resolve_mode(args),
                 .outputs = !args.has("--no-reduce-outputs"),
                 .inputs = !args.has("--no-reduce-inputs"),
                 .start_at = start_nodes(args),
                 .same_failure = args.has("--same-failure"),
                 .loop = loop_in(work_dir, resolve_loop(args, kCandidateFile)),
                 .tools = resolve_runner_tools(session)};
  job.options.jobs =
      checks_at_a_time(static_cast<int>(resolve_side_by_side(session).slots), job.options.loop);
  resolve_checking(session, job);
  job.reproduction = resolve_reproduction(session);
  if (job.output.typed.empty() && job.good.typed.empty()) {
    throw Error(
        "--output (where to write the reduced model) and/or --min-good (where to write a reduced "
        "model that passes) must be provided!");
  }
  return job;
}

// Only candidates may lack it.
void require_judged_output(const ParsedArgs& args, const ModelSource& source) {
  const auto name = args.text("--metric-output");
  if (!name) return;
  Logger quiet;
  const auto model = load_onnx(source, quiet);
  require_output(*name, graphsurgeon::tensor_names(model->graph->outputs()));
}

void add_to(ReportPage& page, const ReduceResult& found, const ReduceJob& job, Logger& log) {
  add_sections(reduction_sections(found, log), page);
  if (!found.bad || job.output.typed.empty()) return;
  page.sections.emplace_back(ReportCommands{
      "Next commands",
      {{"Inspect the model", "polygraphy inspect model " + shell_word(job.output.typed) +
                                 " --show layers attrs weights"}}});
}

// The processes of the check are gone: new ones know the versions.
void name_engines(const ParsedArgs& args, const RunnerTools& tools, ReportPage& page) {
  const ModelCheck* kind = selected_model_check(args);
  if (!kind) return;
  std::string text;
  for (const std::string& backend : backends_of(*kind, args.list(option_of(*kind)))) {
    const std::string version = library_version(backend, tools);
    text += (text.empty() ? "" : ", ") + backend + (version.empty() ? "" : " " + version);
  }
  if (!text.empty()) page.about.emplace_back("Engines", std::move(text));
}

int reduce_and_report(Session& session, ReportPage* page) {
  CommandSetup setup = resolve_setup(session);
  ReduceJob job = resolve_job(session, setup);
  session.announce();
  require_judged_output(session.args(), setup.source);
  if (page) name_engines(session.args(), job.options.tools, *page);
  resolve_inputs(session, setup);
  DataLoaderArgs& inputs = setup.inputs;
  inputs.options.announce_shapes = false;
  const auto& python = job.options.tools.python;
  job.options.generated = inputs.options;
  job.options.feeds = [&](Logger& log) { return make_feeds(inputs, python, log); };
  job.options.journal = resolve_journal(session);
  const DeferredInterrupts interrupts(session.env(), DeferredSignals::kAll);
  const ReduceResult found = reduce(job, session.log());
  if (page) add_to(*page, found, job, session.log());
  interrupts.check();
  return found.bad ? 0 : 1;
}

}  // namespace

int run_reduction(Session& session) {
  return reported(session, "Reduction",
                  [&](ReportPage* page) { return reduce_and_report(session, page); });
}

}  // namespace polygraphy::cli
