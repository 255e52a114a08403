#include "cli/distribution/distributed_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/os/file_text.h"
#include "base/os/files/file_access.h"
#include "cli/args/distribution.h"
#include "cli/distribution/task_versions.h"
#include "cli/distribution/task_words.h"
#include "cli/driver.h"
#include "cli/jobs/verdict_code.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/runner_tools.h"
#include "cli/syntax/exit_codes.h"
#include "cli/syntax/parser.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_page.h"
#include "polygraphy/comparison/compare/accuracy/check_accuracy.h"
#include "polygraphy/comparison/run_job/merge_run.h"
#include "polygraphy/comparison/verdict/runner_names.h"
#include "polygraphy/comparison/verdict/verdict_log.h"
#include "polygraphy/comparison/verdict/verdict_page.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy::cli {
namespace {

using log_modules::kTasks;

// Runs these samples again, on this machine, and saves their inputs and outputs in folders
// `worst/sample-I` of `tasks`. `words`: of the command, but for options of distribution and of the
// merge. A sample that cannot run here is a warning.
void save_worst_samples(Session& session, const RunRecord& record, const std::string& tasks,
                        const std::vector<std::string>& words) {
  const auto count = session.args().integer("--worst-samples");
  if (!count) return;
  for (const int64_t number : worst_samples(record, *count)) {
    const std::string folder = fmt::format("{}/worst/sample-{}", tasks, number);
    std::filesystem::create_directories(folder);
    std::vector<std::string> argv = {session.env().executable};
    argv.insert(argv.end(), words.begin(), words.end());
    argv.insert(argv.end(),
                {"--samples", std::to_string(number), "--save-inputs", folder + "/inputs.json",
                 "--save-outputs", folder + "/outputs.json", "--silent"});
    Environment again = session.env();
    again.stays_open = true;
    const int code = run_command_line(again, argv);
    if (code == kAgrees || code == kDiffers) {
      session.log().info(kTasks, fmt::format("Tensors of sample {}: {}", number, folder));
    } else {
      session.log().warning(
          kTasks, fmt::format("Sample {} did not run on this machine (exit code {}): its tensors "
                              "are not saved",
                              number, code));
    }
  }
}

using log_modules::kComparator;
using log_modules::kTasks;

// Samples travel as statistics, so nothing else of them can be saved or shown.
constexpr std::string_view kNoTensors[] = {"--save-inputs", "--save-input-blob", "--save-outputs",
                                           "--output-dir",  "--report",          "--benchmark",
                                           "--mem-limit",   "--load-outputs",    "--validate",
                                           "--fail-fast",   "--save-onnx",       "--gen",
                                           "--samples",     "--decode",          "--json"};

// Of the merged results, not of a task.
const std::vector<std::string_view> kOfMerge = {"--save-accuracy-results", "--check-average",
                                                "--worst-samples"};

int64_t number_of_samples(const RunPlan& plan, Session& session) {
  if (plan.inputs.load_inputs.empty() && !plan.inputs.script) return plan.inputs.options.iterations;
  auto feeds = make_feeds(plan.inputs, nullptr, session.log());
  if (plan.inputs.script) {
    throw Error("--on: the number of samples of a script is not known before it has ended",
                "Save the inputs once (run --save-inputs), and load them.");
  }
  static_cast<void>(feeds->next({}));
  const auto total = feeds->total();
  if (!total) throw Error("--on: the number of saved inputs is not known", "Save them as .npz.");
  return *total;
}

// As without --on: the tasks warn in their own logs. They also report inputs that cannot be
// generated.
void warn_of_generated_inputs(const RunPlan& plan, Logger& log) {
  if (!plan.inputs.load_inputs.empty() || plan.model.format != kOnnxFormat) return;
  try {
    Logger silent;
    const auto model = load_onnx(plan.model, silent);
    generated_feeds(plan.inputs.options, log)->next(metadata_of_variables(model->graph->inputs()));
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    return;
  }
}

// `tasks`: the folder of the plan.
int report(Session& session, const RunPlan& run, MergedRun merged, const std::string& tasks,
           ReportPage* page) {
  Logger& log = session.log();
  const RunRecord& record = merged.record;
  const std::string& saved = run.options.save_accuracy_results;
  if (run.options.check_average) {
    CheckAccuracyOptions options;
    options.check_average = true;
    options.save_results = saved;
    if (page) {
      options.on_judged = [page](const AccuracyResults& judged) {
        add_sections(accuracy_sections(judged), *page);
      };
    }
    return check_accuracy(std::move(merged.accuracy), options, log).passed() ? kAgrees : kDiffers;
  }
  if (!saved.empty()) save_accuracy_results(merged.accuracy, saved, log);
  summarize(record, log);
  save_worst_samples(session, record, tasks, task_words(session.args(), "run", kOfMerge));
  const Verdict verdict = record.verdict();
  log.log(severity_of(verdict), kComparator, headline(verdict));
  if (page) page->sections.emplace_back(report_verdict(verdict));
  return run_passed(verdict, session.args()) ? kAgrees : kDiffers;
}

}  // namespace

void prepare_for_task(const ParsedArgs& args, RunnerFactory& factory,
                      std::vector<RunnerSpec>& runners) {
  for (RunnerSpec& runner : runners) {
    factory.set_threads(runner, resolve_task_needs(args).cpus);
    runner.name = without_time(runner.name);
  }
}

void check_distributed_run(const ParsedArgs& args) {
  for (const std::string_view option : kNoTensors) {
    if (!args.syntax().find(option) || !args.has(option)) continue;
    throw Error(fmt::format("--on and {} exclude each other: tasks return the verdicts of samples, "
                            "not their tensors",
                            option),
                "Run the samples of interest again, without --on and with --samples.");
  }
  if (const auto worst = args.integer("--worst-samples"); worst && *worst < 1)
    throw Error("--worst-samples must be 1 or more, but was: " + std::to_string(*worst));
}

int distributed_run(Session& session, const RunPlan& plan, const Distribution& how,
                    ReportPage* page) {
  require_model(plan.model.path);
  TaskJob job = task_job(session, "run", kOfMerge);
  const bool accuracy = plan.options.check_average || !plan.options.save_accuracy_results.empty();
  if (accuracy) job.argv.emplace_back("--save-task-accuracy");
  RunnerFactory factory(resolve_runner_tools(session), session.log());
  add_versions(job, plan.runners, factory);
  const TaskUnits units{.range_option = "--samples", .count = number_of_samples(plan, session)};
  job.units = units.size();
  if (units.size() == 0) throw Error("There are no samples to run", "Check --iterations.");
  warn_of_generated_inputs(plan, session.log());
  const DeferredInterrupts interrupts(session.env(), DeferredSignals::kAll);
  MergedRun merged;
  const auto merge = [&](const TaskPlan& tasks) {
    merged = merged_run(tasks, TaskFolder(how.folder), accuracy);
  };
  const bool done = distribute(job, units, how, merge, session.log());
  interrupts.check();
  if (done) return report(session, plan, std::move(merged), how.folder, page);
  session.log().info(kTasks, "polygraphy task status " + how.folder + " shows how far they are.");
  return kSubmitted;
}

void save_record(const ParsedArgs& args, const std::string& path, RunRecord record,
                 const std::vector<RunnerSpec>& runners, const RunnerFactory& factory,
                 const std::string& accuracy) {
  for (const RunnerSpec& runner : runners) {
    const std::string version = factory.version(runner);
    if (!version.empty()) record.versions.set(runner.label(), version);
  }
  if (!accuracy.empty()) {
    record.accuracy = read_text(accuracy);
    remove_file(accuracy);
  }
  require_versions(args, record.versions);
  write_file(path, to_json(record), Durability::kNone);  // the worker makes it durable
}

}  // namespace polygraphy::cli
