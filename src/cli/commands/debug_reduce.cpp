// `polygraphy debug reduce`.

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/fingerprint.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "cli/args/data_loader.h"
#include "cli/args/debugging.h"
#include "cli/args/model_checks.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/args/side_by_side.h"
#include "cli/jobs/command_setup.h"
#include "cli/jobs/report_file.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/runner_tools.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "cli/syntax/parser.h"
#include "formats/record_json.h"
#include "graphsurgeon/ir/tensor_names.h"
#include "polygraphy/comparison/task_metrics/judged_output.h"
#include "polygraphy/diagnosis/reduce/reduce_job.h"
#include "polygraphy/diagnosis/reduce/reduction_document.h"
#include "polygraphy/diagnosis/reduce/reduction_page.h"
#include "polygraphy/diagnosis/reduce/reproduction.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/runtimes/runner_factory/library_version.h"

namespace polygraphy::cli {
namespace {

// They belong to the groups that decide verdicts, but do not.
constexpr std::string_view kIgnored[] = {"--show-output", "--hide-fail-output", "--same-failure"};

std::string key_of(const Option& option) {
  for (const auto word : split(option.spellings, ' ')) {
    if (word.starts_with("--")) return std::string(word);
  }
  return std::string(option.spellings);
}

// The fingerprint of the options that decide verdicts: of the check and of the input data. Excludes
// options that select candidates, and those of logging. The command takes the groups
// args_pass_fail, args_model_checks and args_data_loader.
Fingerprint fingerprint_of_check(const ParsedArgs& args) {
  FingerprintBuilder builder;
  const auto add = [&](const std::string& key) {
    if (!args.syntax().find(key)) return;
    for (const auto& values : args.all(key)) {
      builder.add(key).add(values.size());
      for (const std::string& value : values) builder.add(value);
    }
  };
  for (const std::string& key : model_check_keys(args)) add(key);
  for (const ArgGroup* group : {&args_pass_fail, &args_data_loader}) {
    for (const Option& option : group->options) {
      const std::string key = key_of(option);
      if (std::find(std::begin(kIgnored), std::end(kIgnored), key) == std::end(kIgnored)) add(key);
    }
  }
  return builder.value();
}

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
    {&args_report_forms},
};

constexpr Option kOptions[] = {
    {.spellings = "--min-good --minimal-good",
     .help = "Write a model that passes, as close as possible in size to the reduced one, to this "
             "file.",
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
             "only failures like the whole model's. Default: bisect.",
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
    {.spellings = "--json",
     .help = "Write the results to this file as JSON.",
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kOurs},
};

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
  job.model = setup.model;
  job.shapes = setup.shapes;
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

// Options for input data behind --check belong to the check, while the values of inner tensors come
// from the inputs of this command.
void warn_of_inputs_of_check(const ParsedArgs& args, Logger& log) {
  const std::vector<std::string> check = args.list("--check");
  for (const Option& option : args_data_loader.options) {
    const std::string key = key_of(option);
    if (args.has(key) || std::find(check.begin(), check.end(), key) == check.end()) continue;
    log.warning(log_modules::kMain,
                "The check has " + key +
                    ", but debug reduce has not: it computes inner tensors from "
                    "other inputs than the check's. Give it before --check, too.",
                Once::kYes);
  }
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
  require_judged_output(session.args(), setup.model);
  if (page) name_engines(session.args(), job.options.tools, *page);
  resolve_inputs(session, setup);
  DataLoaderArgs& inputs = setup.inputs;
  inputs.options.announce_shapes = false;
  const auto& python = job.options.tools.python;
  job.options.generated = inputs.options;
  job.options.feeds = [&](Logger& log) {
    // The other modes hardly ever compute them, and then say so.
    if (job.options.mode == ReduceMode::kAuto)
      warn_of_inputs_of_check(session.args(), session.log());
    return make_feeds(inputs, python, log);
  };
  job.options.journal = resolve_journal(session);
  const DeferredInterrupts interrupts(session.env(), DeferredSignals::kAll);
  const ReduceResult found = reduce(job, session.log());
  if (page) add_to(*page, found, job, session.log());
  if (const auto json = session.args().text("--json"))
    write_file(session.env().path(*json), record_json(found));
  interrupts.check();
  return found.bad ? 0 : 1;
}

int run_command(Session& session) {
  return reported(session, "Reduction",
                  [&](ReportPage* page) { return reduce_and_report(session, page); });
}

}  // namespace

extern constinit const Command command_debug_reduce = {
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
    .run = run_command,
};

}  // namespace polygraphy::cli
