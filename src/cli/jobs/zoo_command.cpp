#include "cli/jobs/zoo_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <unordered_set>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/os/file_text.h"
#include "base/progress.h"
#include "base/visible_text.h"
#include "cli/args/data_loader.h"
#include "cli/args/distribution.h"
#include "cli/args/isolation.h"
#include "cli/args/model.h"
#include "cli/args/noise.h"
#include "cli/distribution/task_versions.h"
#include "cli/distribution/task_words.h"
#include "cli/jobs/page_graphs.h"
#include "cli/jobs/page_identity.h"
#include "cli/jobs/report_file.h"
#include "cli/jobs/runner_specs.h"
#include "cli/jobs/zoo_commands.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/runner_tools.h"
#include "polygraphy/comparison/verdict/verdict_log.h"
#include "polygraphy/diagnosis/zoo/zoo.h"
#include "polygraphy/diagnosis/zoo/zoo_json.h"
#include "polygraphy/diagnosis/zoo/zoo_model_page.h"
#include "polygraphy/diagnosis/zoo/zoo_models.h"
#include "polygraphy/diagnosis/zoo/zoo_page.h"
#include "polygraphy/diagnosis/zoo/zoo_text.h"
#include "polygraphy/diagnosis/zoo/zoo_times.h"
#include "tasks/input_digests.h"
#include "tasks/run_task.h"

namespace polygraphy::cli {
namespace {

using log_modules::kTasks;
using log_modules::kZoo;

const std::vector<std::string_view> kOfMerge = {"models", "--output", "--baseline", "--times"};
// Of the folder for pages of models, behind the name of the report: "zoo_models" of "zoo.html".
constexpr std::string_view kPagesEnd = "_models";

// In their order on the command line; those of folders by name. Throws Error.
std::vector<std::string> models_of(Session& session) {
  std::vector<std::string> places;
  for (const std::string& typed : session.args().list("models"))
    places.push_back(session.env().path(typed));
  return zoo_models(places);
}

// The model's digest covers its companions.
TaskInput input_of(const std::string& model, const std::string& folder, InputDigests& digests) {
  TaskInput input = digests.input(model, folder);
  for (const std::string& path : zoo_companions(model)) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) continue;
    input.beside.push_back(digests.input(path, folder));
  }
  return input;
}

// A program cannot say whether it loads a model, and runs no parts of it to find guilty nodes.
void require_engines(const std::vector<RunnerSpec>& specs) {
  for (const RunnerSpec& spec : specs) {
    if (spec.program.empty()) continue;
    throw Error(
        fmt::format("zoo runs engines, and '{}' of --model-runner is a program", spec.program),
        "Compare it on one model at a time: polygraphy run MODEL --onnxrt --model-runner FILE.");
  }
}

class ZooCommand {
 public:
  explicit ZooCommand(Session& session)
      : session_(session), args_(session.args()), log_(session.log()) {}

  int run(ReportPage* page) {
    session_.announce();
    specs_ = resolve_runner_specs(args_, session_.env(), {});
    if (specs_.empty())
      throw Error("No engine is selected", "Select engines by their flags: --onnxrt --openvino.");
    require_engines(specs_);
    const auto distribution = resolve_distribution(session_);
    if (const auto path = args_.text("--baseline")) {
      const std::string file = session_.env().path(*path);
      baseline_ = parse_zoo_json(read_text(file), file);
    }
    models_ = models_of(session_);
    job_ = job();
    if (!args_.has("--save-task")) require_inputs_of_models(job_.inputs, models_);
    const DeferredInterrupts interrupts(session_.env(), DeferredSignals::kAll);
    if (const auto task = args_.text("--save-task")) {
      const std::string path = session_.env().path(*task);
      return examine_task(session_.env().path(*task));
    }
    std::optional<ZooResult> result;
    if (distribution) {
      result = distributed(*distribution);
      interrupts.check();
      if (!result) return kSubmitted;
    } else {
      examine(result.emplace());
    }
    interrupts.check();
    return report(*result, page);
  }

 private:
  ZooJob job() const {
    ZooJob job{.engines = specs_};
    resolve_noise(args_, job.noise_runs, job.threshold);
    if (const auto timeout = resolve_timeout(args_)) job.timeout = timeout;
    if (const auto seed = args_.integer("--seed")) job.inputs.seed = static_cast<uint64_t>(*seed);
    job.inputs.shapes = resolve_shapes(args_);
    job.inputs.val_range = resolve_val_range(args_);
    job.valid = args_.text("--data-loader") != "random";
    job.threads = resolve_task_needs(args_).cpus;
    job.locate = !args_.has("--no-locate");
    if (const auto seconds = args_.number("--reduce-timeout")) job.reduce_seconds = *seconds;
    if (args_.has("--no-reduce")) job.reduce_seconds = 0;
    job.cancel = cancel_token(session_.env());
    return job;
  }

  // A log shows no progress: it gets a line for each model.
  void announce(const ZooModelResult& model, size_t number) {
    const Severity severity = session_.env().err.terminal() ? Severity::kVerbose : Severity::kInfo;
    const std::string account = model.account();
    log_.log(severity, kZoo,
             fmt::format("{} of {}: {}: {}{}", number, models_.size(), model.model,
                         name_of(model.outcome()), account.empty() ? "" : " | " + account));
  }

  int examine_task(const std::string& path) {
    ZooResult result;
    try {
      examine(result);
    } catch (const Interrupted&) {
      if (result.models.empty() || result.was_killed()) throw;
      save_task(result, path);
      write_file(path + std::string(kFinishedEnd), std::to_string(result.models.size()),
                 Durability::kNone);
      throw;
    }
    save_task(result, path);
    return kAgrees;
  }

  void save_task(const ZooResult& result, const std::string& path) const {
    require_versions(args_, result.versions);
    write_file(path + std::string(kMeasuredEnd), times_json(result), Durability::kNone);
    write_file(path, to_json(result), Durability::kNone);  // the worker makes it durable
  }

  // Interrupted: `result` has the models up to then.
  void examine(ZooResult& result) {
    const RunnerTools tools = resolve_runner_tools(session_);
    RunnerFactory factory(tools, log_);
    for (const RunnerSpec& spec : specs_) result.engines.push_back(spec.label());
    Zoo zoo(job_, factory, log_);
    ProgressPhase phase("running models", static_cast<int64_t>(models_.size()));
    for (const std::string& model : models_) {
      result.models.push_back(zoo.examine(model, model));
      result.versions = zoo.versions();
      phase.step();
      announce(result.models.back(), result.models.size());
    }
  }

  std::optional<ZooResult> distributed(const Distribution& how) {
    TaskJob job = task_job(session_, "zoo", kOfMerge);
    RunnerFactory factory(resolve_runner_tools(session_), log_);
    add_versions(job, specs_, factory);
    job.unit = "model";
    TaskUnits units;
    InputDigests digests;
    for (const std::string& model : models_)
      units.listed.push_back(input_of(model, job.folder, digests));
    job.units = units.size();
    const TaskFolder folder(how.folder);
    TaskIds known = folder.results();
    size_t announced = 0;
    ZooResult all;
    std::vector<std::string> killed;  // ids of tasks
    const auto merge = [&](const TaskPlan& plan) {
      all = {};
      killed.clear();
      for (int64_t i = 0; i < plan.size(); ++i) {
        const std::string id = plan.id(i);
        ZooResult part = result_of(folder, id);
        if (const std::string times = folder.measured(id); !times.empty())
          add_times(times, folder.time_path(id), part);
        if (part.was_killed()) killed.push_back(id);
        append(all, std::move(part));
      }
    };
    bool done = false;
    {
      // A task's models are announced when its result is there.
      std::optional<ProgressWatch> watch;
      if (!session_.env().err.terminal())
        watch.emplace([&](auto) { announce_new(folder, known, announced); });
      done = distribute(job, units, how, merge, log_);
    }
    if (!done) {
      log_.info(kTasks, "polygraphy task status " + how.folder + " shows how far they are.");
      return std::nullopt;
    }
    // A kill is not a result to keep: the same command tries again.
    std::error_code ignored;
    for (const std::string& id : killed) std::filesystem::remove(folder.result_path(id), ignored);
    return all;
  }

  static ZooResult result_of(const TaskFolder& folder, const std::string& id) {
    ZooResult all;
    for (const std::string& document : folder.read_result(id))
      append(all, parse_zoo_json(document, folder.result_path(id)));
    return all;
  }

  // Of tasks that have ended since the last call. `known`: the results of others.
  void announce_new(const TaskFolder& folder, TaskIds& known, size_t& announced) {
    std::vector<ZooModelResult> ended;
    for (const Fingerprint& ended_task : folder.results()) {
      const std::string id = ended_task.text();
      if (!known.insert(id)) continue;
      ZooResult part = result_of(folder, id);
      std::ranges::move(part.models, std::back_inserter(ended));
    }
    const auto place = [&](const ZooModelResult& model) {
      return std::ranges::find(models_, model.model) - models_.begin();
    };
    std::ranges::sort(ended, {}, place);
    for (const ZooModelResult& model : ended) announce(model, ++announced);
  }

  int report(const ZooResult& result, ReportPage* page) {
    const Verdict verdict = result.verdict();
    std::string storage;
    session_.env().out.write(visible(to_text(result), storage));
    const auto write = [&](std::string_view option, const std::string& text) {
      const auto path = args_.text(option);
      if (path) write_file(session_.env().path(*path), text);
    };
    write("--output", to_json(result));
    write("--times", times_json(result));
    save_reduced(result);
    if (page) add_pages(result, *page);
    log_.log(severity_of(verdict), kZoo, headline(verdict));
    const ZooOutcome worst = result.outcome();
    int code = passed(worst) ? kAgrees : kDiffers;
    if (baseline_) code = compare(result, *baseline_, *args_.text("--baseline"));
    const bool only_killed = baseline_ ? code == kAgrees : worst == ZooOutcome::kKilled;
    if (only_killed && result.was_killed()) return kCouldNotRun;
    const bool nothing = verdict.agreement == Agreement::kNotCompared;
    return code == kAgrees && nothing ? kCouldNotRun : code;
  }

  // Beside the file, for pages and reduced models.
  static std::filesystem::path make_folder(const std::filesystem::path& file) {
    std::filesystem::path folder =
        file.parent_path() / (file.stem().native() + std::string(kPagesEnd));
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw IoError("cannot create " + folder.native() + ": " + failed.message());
    return folder;
  }

  // In the folder of the page, else in that of the results.
  void save_reduced(const ZooResult& result) {
    const auto typed = args_.text(args_.has("--report") ? "--report" : "--output");
    if (!typed) return;
    for (size_t i = 0; i < result.models.size(); ++i) {
      for (const ZooEngineResult& one : result.models[i].engines) {
        if (!one.reduced) continue;
        const std::string path =
            (make_folder(session_.env().path(*typed)) / reduced_file_name(result, i, one.engine))
                .native();
        write_file(path, one.reduced->onnx);
        log_.info(kZoo, fmt::format("{} still crashes with {} of {} nodes: {}", one.engine,
                                    one.reduced->nodes, result.models[i].nodes, path));
      }
    }
  }

  // The pages of models lie in a folder beside the page.
  void add_pages(const ZooResult& result, ReportPage& page) {
    const auto typed = args_.text("--report");
    if (!typed) return add_sections(zoo_sections(result, ""), page);
    const std::filesystem::path file(session_.env().path(*typed));
    const std::filesystem::path folder = make_folder(file);
    const ZooCommands commands(args_, result.engines, job_.threads);
    for (size_t i = 0; i < result.models.size(); ++i) {
      const ZooModelResult& model = result.models[i];
      ReportPage one{.title = model.model,
                     .about = page.about,
                     .back = {page.title, relative_url("../" + file.filename().native())},
                     .maker = page.maker,
                     .sections = zoo_model_sections(model, commands.of(model))};
      add_graphs(session_, {{.path = model.model}}, one);
      put_in_order(one);
      write_file((folder / zoo_page_name(result, i)).native(), report_html(one), Durability::kNone);
    }
    add_sections(zoo_sections(result, folder.filename().native()), page);
  }

  int compare(const ZooResult& result, const ZooResult& before, std::string_view path) {
    const std::vector<ZooChange> worse = worse_than(result, before);
    if (worse.empty()) {
      log_.log(Severity::kFinish, kZoo, "No model is worse than in " + std::string(path));
      return kAgrees;
    }
    log_.error(kZoo, fmt::format("{} result{} worse than in {}:\n{}", worse.size(),
                                 worse.size() == 1 ? " is" : "s are", path, to_text(worse)));
    return kDiffers;
  }

  Session& session_;
  const ParsedArgs& args_;
  Logger& log_;
  std::vector<RunnerSpec> specs_;
  ZooJob job_;
  std::vector<std::string> models_;
  std::optional<ZooResult> baseline_;
};

}  // namespace

int zoo_command(Session& session) {
  return reported(session, "Zoo", [&](ReportPage* page) { return ZooCommand(session).run(page); });
}

}  // namespace polygraphy::cli
