// `polygraphy check consistency`.
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "cli/args/data_loader.h"
#include "cli/args/distribution.h"
#include "cli/distribution/distributed_run.h"
#include "cli/distribution/task_versions.h"
#include "cli/distribution/task_words.h"
#include "cli/jobs/command_setup.h"
#include "cli/jobs/decoding_option.h"
#include "cli/jobs/option_warnings.h"
#include "cli/jobs/page_identity.h"
#include "cli/jobs/report_file.h"
#include "cli/jobs/runner_specs.h"
#include "cli/jobs/verdict_code.h"
#include "cli/metric_options/metric_args.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/runner_tools.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "cli/syntax/exit_codes.h"
#include "polygraphy/comparison/compare/metrics/shared/per_output.h"
#include "polygraphy/comparison/compare/named_outputs.h"
#include "polygraphy/comparison/verdict/verdict_log.h"
#include "polygraphy/diagnosis/consistency/consistency.h"
#include "polygraphy/diagnosis/consistency/consistency_json.h"
#include "polygraphy/diagnosis/consistency/consistency_page.h"
#include "polygraphy/diagnosis/consistency/consistency_text.h"
#include "tasks/distribute.h"

namespace polygraphy::cli {

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
    {&args_report_forms},
    {&args_distribution},
};

constexpr Option kOptions[] = {
    {.spellings = "--batch-size",
     .help = "Rows of a batch with a dynamic size: 2 to 65536. Default: 8.",
     .type = ValueType::kInt,
     .metavar = "ROWS"},
    {.spellings = "--batch-inputs",
     .help =
         "Inputs that have the batch as their first dimension. Default: all axes with the name of "
         "the dynamic dimension with 'batch' in its name, or else of the first dynamic first "
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
     .files = FileUse::kWritten,
     .metavar = "FILE"},
    {.spellings = "--save-task",
     .help = "Write the results of a task to this file: for workers of --on.",
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kInternal},
    {.spellings = "--checks",
     .help = "The checks of a task, numbered from 0 through all engines.",
     .metavar = "I..J",
     .origin = Origin::kInternal,
     .needs = "--save-task"},
};

std::string list_of_checks() {
  std::string text;
  for (const auto& [name, summary] : consistency_check_list())
    text += std::string(name) + "\n    " + std::string(summary) + "\n";
  return text;
}

class ConsistencyCommand {
 public:
  explicit ConsistencyCommand(Session& session)
      : session_(session), args_(session.args()), env_(session.env()), log_(session.log()) {
    show_as_verbose(quiet_, log_, log_modules::kCheckConsistency);
  }

  // `page`: null without --report.
  int run(ReportPage* page) {
    CommandSetup setup = resolve_setup(session_);
    resolve_inputs(session_, setup);
    DataLoaderArgs& inputs = setup.inputs;
    ConsistencyJob job{.model = setup.model};
    resolve_options(job);
    resolve_feeds(inputs, job);
    warn_of_unused_backend_options(args_, log_);
    session_.announce();
    job.engines = resolve_runner_specs(args_, env_, setup.shapes);
    if (job.engines.empty()) {
      throw Error("No engine to check",
                  "Select the runners to check, such as --onnxrt or --openvino; each is compared "
                  "with itself.");
    }
    require_runnable(session_, job.engines, setup.model, inputs.valid);
    const RunnerTools tools = resolve_runner_tools(session_);
    RunnerFactory factory(tools, quiet_);
    const PageEngines engines(page, job.engines, factory);
    if (inputs.valid || needs_conversion(args_, job.engines, setup.model))
      job.model = factory.onnx(job.model);
    use_graph_of(job.model, inputs);
    set_calibration(job.engines, inputs, tools.python, log_);
    const bool prompts = job.model.format == kOnnxFormat && takes_cache(job.model);
    job.make_feeds = [&] { return make_feeds(inputs, tools.python, prompts ? quiet_ : log_); };
    job.cancel = tools.cancel;
    require_inputs(inputs);
    if (job.model.format == kOnnxFormat) warn_of_unknown_tolerances(job.model);
    const auto distribution = resolve_distribution(session_);
    const DeferredInterrupts interrupts(
        env_, distribution ? DeferredSignals::kAll : DeferredSignals::kInterrupt);
    if (const auto task = args_.text("--save-task")) {
      write_file(env_.path(*task), consistency_json(of_task(job, factory)), Durability::kNone);
      return 0;
    }
    const auto result = distribution ? of_tasks(job, *distribution, factory)
                                     : check_consistency(job, factory, quiet_);
    if (!result) {
      interrupts.check();
      return kSubmitted;
    }
    report(*result);
    if (page) add_sections(consistency_sections(*result), *page);
    interrupts.check();
    return code_of(result->verdict());
  }

 private:
  ConsistencyResult of_task(ConsistencyJob& job, RunnerFactory& factory) {
    if (const auto range = args_.text("--checks")) {
      const IndexRange checks = parse_index_range("--checks", *range);
      job.range.emplace(checks.first, checks.last);
    }
    job.engines = factory.complete(job.engines);
    prepare_for_task(args_, factory, job.engines);
    ConsistencyResult result = check_consistency(job, factory, quiet_);
    for (const RunnerSpec& engine : job.engines) {
      const std::string version = factory.version(engine);
      if (!version.empty()) result.versions.set(engine.label(), version);
    }
    require_versions(args_, result.versions);
    return result;
  }

  // nullopt: the tasks are queued.
  std::optional<ConsistencyResult> of_tasks(const ConsistencyJob& job, const Distribution& how,
                                            RunnerFactory& factory) {
    TaskJob tasks = task_job(session_, "check consistency", {"--json"});
    const TaskUnits units{.range_option = "--checks", .count = number_of_checks(job)};
    add_versions(tasks, job.engines, factory);
    tasks.unit = "check";
    tasks.units = units.size();
    const TaskFolder folder(how.folder);
    ConsistencyResult all;
    const auto merge = [&](const TaskPlan& plan) {
      all = {};
      for (int64_t i = 0; i < plan.size(); ++i) {
        const std::string id = plan.id(i);
        for (const std::string& document : folder.read_result(id))
          append(all, parse_consistency_json(document, folder.result_path(id)));
      }
    };
    if (!distribute(tasks, units, how, merge, log_)) {
      log_.info(log_modules::kTasks,
                "polygraphy task status " + how.folder + " shows how far they are.");
      return std::nullopt;
    }
    all.versions.clear();  // for parts only
    return all;
  }

  void warn_of_unknown_tolerances(const ModelSource& model) const {
    NamedOutputs named;
    for (const char* flag : {"--atol", "--rtol"}) {
      for (const auto& [output, number] : metric_numbers(args_, flag)) {
        if (!output.empty()) named[flag].push_back(output);
      }
    }
    warn_of_unknown_outputs(named, model, log_);
  }

  void resolve_options(ConsistencyJob& job) const {
    job.only = args_.list("--only-check");
    job.skip = args_.list("--skip-check");
    job.batch_inputs = args_.list("--batch-inputs");
    job.decoder_names = env_.path(args_.text("--decoder-names").value_or(""));
    job.batch_size = args_.integer("--batch-size").value_or(job.batch_size);
    const auto atol = metric_numbers(args_, "--atol"), rtol = metric_numbers(args_, "--rtol");
    if (atol.empty() && rtol.empty()) return;
    job.tolerance = [atol, rtol](const std::string& output) {
      const OutputTolerance usual;
      return OutputTolerance{
          .absolute = value_for(atol, output, GivenNumber(usual.absolute)).value,
          .relative = value_for(rtol, output, GivenNumber(usual.relative)).value};
    };
  }

  // Random inputs: as many as a batch has rows, and as many samples of these as the options
  // request.
  static void resolve_feeds(DataLoaderArgs& inputs, ConsistencyJob& job) {
    if (inputs.script || !inputs.load_inputs.empty()) {
      job.samples = std::numeric_limits<int64_t>::max();
      return;
    }
    job.samples = inputs.options.iterations;
    inputs.options.iterations = std::max(job.samples, job.batch_size);
  }

  void report(const ConsistencyResult& result) {
    for (const std::string& note : result.notes) log_.warning(log_modules::kCheckConsistency, note);
    log_.info(log_modules::kCheckConsistency, consistency_table(result));
    log_.log(severity_of(result.verdict()), log_modules::kCheckConsistency,
             consistency_summary(result));
    if (const auto path = args_.text("--json"))
      write_file(env_.path(*path), consistency_json(result));
  }

  Session& session_;
  const ParsedArgs& args_;
  Environment& env_;
  Logger& log_;
  Logger quiet_;  // of the many runs
};

// Exit code: 1 where an engine does not agree with itself, or fails in one of the ways.
int run_command(Session& session) {
  if (session.args().has("--list-checks")) {
    session.env().out.write(list_of_checks());
    return 0;
  }
  return reported(session, "Consistency",
                  [&](ReportPage* page) { return ConsistencyCommand(session).run(page); });
}

}  // namespace

extern constinit const Command command_check_consistency = {
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
    .run = run_command,
};

}  // namespace polygraphy::cli
