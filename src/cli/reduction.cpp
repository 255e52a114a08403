#include "cli/reduction.h"

#include <algorithm>
#include <filesystem>

#include "base/log_modules.h"
#include "base/thread_pool.h"
#include "cli/args/data_loader.h"
#include "cli/args/debugging.h"
#include "cli/args/model.h"
#include "cli/args/model_checks.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/args/onnx_shape_inference.h"
#include "cli/check_fingerprint.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/user_interpreter.h"
#include "cli/surgery.h"
#include "cli/unsupported_options.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/passes/constant_nodes.h"
#include "polygraphy/reduce/reduce.h"
#include "polygraphy/reduce/reproduction.h"
#include "polygraphy/reduce/summary.h"
#include "polygraphy/surgeon/fallback_shapes.h"
#include "polygraphy/surgeon/override_shapes.h"
#include "polygraphy/surgeon/surgery.h"

namespace polygraphy::cli {
namespace {

namespace fs = std::filesystem;
using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using graphsurgeon::TypeKind;
using log_modules::kReduce;

constexpr std::string_view kArtifact = "polygraphy_debug.onnx";

// How many checks at a time. Throws Error for what cannot be where there are several.
int resolve_jobs(const ParsedArgs& args, const LoopOptions& loop) {
  const int64_t jobs = parse_int(args.text("--jobs").value_or("1")).value_or(1);
  if (jobs < 0 || jobs > 1024) {
    throw Error("--jobs must be 0 (one per core) to 1024, but was: " + std::to_string(jobs));
  }
  const int number = jobs == 0 ? parallelism() : static_cast<int>(jobs);
  if (number == 1) return 1;
  if (!loop.iter_info.empty()) {
    throw Error(
        "--iter-info names one file, and with --jobs there is more than one iteration at a "
        "time");
  }
  for (const std::string& path : loop.artifacts.paths) {
    if (path == loop.artifact) continue;
    throw Error("With --jobs, only candidates can be sorted as --artifacts, but not " + path +
                    ", which every check writes",
                "Name " + loop.artifact + " only, or check one at a time.");
  }
  return number;
}

LoopOptions in_work_dir(LoopOptions loop, Session& session) {
  const std::optional<std::string> folder = session.args().text("--work-dir");
  if (!folder) return loop;
  std::error_code error;
  fs::create_directories(session.env().path(*folder), error);
  if (error) throw IoError("Cannot make the folder " + *folder + ": " + error.message());
  loop.artifact = (fs::path(*folder) / fs::path(loop.artifact).filename()).string();
  return loop;
}

ReduceMode resolve_mode(const ParsedArgs& args) {
  const std::string mode = args.text("--mode").value_or("bisect");
  if (mode == "auto") return ReduceMode::kAuto;
  return mode == "linear" ? ReduceMode::kLinear : ReduceMode::kBisect;
}

std::optional<JournalOptions> resolve_journal(Session& session) {
  const ParsedArgs& args = session.args();
  const bool resume = args.has("--resume");
  if (!args.has("--journal")) {
    if (!resume) return std::nullopt;
    throw Error("--resume needs to know which journal to go on with", "Give it with --journal.");
  }
  const std::string typed = args.text("--journal").value_or("");
  return JournalOptions{.path = session.env().path(typed),
                        .typed = typed,
                        .resume = resume,
                        .check = fingerprint_of_check(args)};
}

bool is_dynamic(const Tensor& tensor) {
  return tensor.type_kind() == TypeKind::kTensor && !tensor.is_constant() && tensor.shape() &&
         !is_static(*tensor.shape());
}

// What can make a reduction end with another failure than the one that is looked for.
void warn_of_shapes(const Model& model, Logger& log) {
  const auto& inputs = model.graph->inputs();
  if (std::any_of(inputs.begin(), inputs.end(),
                  [](const TensorRef& input) { return is_dynamic(*input); })) {
    log.warning(kReduce,
                "The model has dynamic input shapes, so those of tensors inside it are not known. "
                "Give them with --model-input-shapes, or freeze them with `polygraphy surgeon "
                "sanitize --override-input-shapes`.");
  }
  for (const NodeRef& node : model.graph->nodes()) {
    if (node->op() != "Shape") continue;
    log.warning(kReduce,
                "The model computes with shapes (it has Shape nodes). It reduces better when they "
                "are folded away: `polygraphy surgeon sanitize --fold-constants`.");
    break;
  }
}

class ReductionCommand {
 public:
  explicit ReductionCommand(Session& session)
      : session_(session),
        args_(session.args()),
        log_(session.log()),
        model_args_((check_for_unsupported_options(args_, log_),
                     resolve_model(args_, session.env(), log_))),
        source_(resolve_model_source(args_, session.env(), model_args_.path)),
        saving_(resolve_onnx_saving(args_, session.env())),
        min_good_(args_.text("--min-good").value_or("")) {
    options_.mode = resolve_mode(args_);
    options_.inputs = !args_.has("--no-reduce-inputs");
    options_.outputs = !args_.has("--no-reduce-outputs");
    options_.want_good = !min_good_.empty();
    options_.same_failure = args_.has("--same-failure");
    options_.loop = in_work_dir(resolve_loop(args_, kArtifact), session_);
    options_.jobs = resolve_jobs(args_, options_.loop);
    options_.program = session.env().executable;
    options_.paths = resolve_plugin_paths(session.env());
    options_.cancel = cancel_flag(session.env());
    resolve_checking();
    if (saving_.typed.empty() && min_good_.empty()) {
      throw Error(
          "--output (where to write the reduced model) and/or --min-good (where to write a reduced "
          "model that passes) must be provided!");
    }
  }

  int run() {
    session_.announce();
    DataLoaderArgs inputs = resolve_data_loader(args_, session_.env(), model_args_.shapes, log_);
    use_graph_of(source_, inputs);
    inputs.options.announce_shapes = false;
    const auto python = make_user_python(session_.env(), log_);
    const auto model = load(inputs, python);
    options_.generated = inputs.options;
    options_.feeds = [&](Logger& log) { return make_feeds(inputs, python, log); };
    options_.journal = resolve_journal(session_);

    const DeferredInterrupts interrupts(session_.env());
    const double started = session_.env().clock();
    const ReduceResult result = reduce(*model, options_, log_);
    report(result, *model);
    if (result.bad) {
      const std::string summary = reduction_summary(*model, *result.bad,
                                                    {.checks = result.checks,
                                                     .cached = result.cached,
                                                     .seconds = session_.env().clock() - started});
      if (!result.interrupted) reproduce(result, summary);
      // The classic modes log what the original does.
      if (is_auto() || options_.jobs > 1 || options_.journal) log_.finish(kReduce, summary);
    }
    interrupts.check();
    return result.bad ? 0 : 1;
  }

 private:
  bool is_auto() const { return options_.mode == ReduceMode::kAuto; }

  void resolve_checking() {
    // The check has to be told where the file is.
    const bool has_own_paths =
        options_.jobs > 1 || (args_.has("--work-dir") && args_.has("--check"));
    // What in-process checks feed candidates is known once the model is loaded.
    const auto values = std::make_shared<CandidateInputs>();
    const MakeCheck check =
        make_check(session_, has_own_paths ? options_.loop.artifact : std::string(),
                   [values](const Metadata& inputs, int64_t sample, Logger& log) {
                     return (*values)(inputs, sample, log);
                   });
    options_.check = [values, check](const CandidateInputs& inputs) {
      *values = inputs;
      return check;
    };
    // Only what runs in processes of ours finds weights in other files.
    const bool wants_artifacts = !options_.loop.artifacts.paths.empty() ||
                                 args_.has("--iter-artifact") || options_.loop.keep_artifact;
    if (selected_model_check(args_) && !wants_artifacts) {
      if (const auto folder = args_.text("--work-dir"))
        options_.shared_folder = session_.env().path(*folder);
      return;
    }
    options_.write = [this](const Model& candidate, const std::string& path, Logger& log) {
      OnnxSaving saving = saving_;
      saving.typed = saving.path = path;
      saving.options.durability = Durability::kNone;
      // Of several candidates, each has data of its own.
      if (options_.jobs > 1 && saving.options.external_data) saving.options.external_data = "";
      save_onnx(candidate, saving, log);
    };
  }

  std::unique_ptr<Model> load(const DataLoaderArgs& inputs,
                              const std::shared_ptr<UserPython>& python) {
    auto model = load_onnx(source_, log_);
    if (!source_.ignore_external_data) graphsurgeon::check_external_data(*model);
    if (!model_args_.shapes.empty()) {
      override_shapes(*model, model_args_.shapes, log_);
      infer_model_shapes(*model, log_);
    }
    graphsurgeon::constant_nodes_to_initializers(*model);
    if (args_.has("--force-fallback-shape-inference")) {
      log_.info(kReduce,
                "Freezing shapes in the model according to values determined by fallback shape "
                "inference");
      const auto feeds = make_feeds(inputs, python, log_);
      BundledRuntime runtime(resolve_plugin_paths(session_.env()), log_);
      apply_shapes(*model,
                   observe_shapes(runtime, *model, observable_tensors(*model), *feeds, log_));
    }
    warn_of_shapes(*model, log_);
    return model;
  }

  void report(const ReduceResult& result, const Model& original) {
    if (!result.bad) {
      if (result.interrupted) return;
      throw Error(
          "The check passes on the model itself, so there is nothing to reduce; nothing was "
          "written",
          "Try the check by hand on the model. Does it read the file that is written for it "
          "(--iter-artifact)? Does its exit code report the failure?");
    }
    const auto left = result.bad->graph->nodes().size(), all = original.graph->nodes().size();
    if (result.interrupted) {
      log_.warning(kReduce, "Interrupted: this is the smallest failing model so far.");
    } else if (options_.mode == ReduceMode::kBisect && left > 1 && left * 4 >= all) {
      log_.warning(kReduce,
                   "It looks like this model could potentially be reduced further." +
                       (saving_.typed.empty() ? std::string()
                                              : "\nYou may want to reduce " + saving_.typed +
                                                    " again using --mode=linear."));
    }
    show_model(*result.bad, "Minimum Bad Model", log_);
    if (!saving_.typed.empty()) save_onnx(*result.bad, saving_, log_);
    if (!options_.want_good) return;
    if (!result.good) {
      log_.warning(
          kReduce,
          "Could not find a minimal model close in size to the reduced model that does not "
          "cause a failure.");
      return;
    }
    show_model(*result.good, "Minimum Good Model", log_);
    OnnxSaving saving = saving_;
    saving.typed = min_good_;
    saving.path = session_.env().path(min_good_);
    save_onnx(*result.good, saving, log_);
  }

  // Without being asked for, only in a mode that the original does not have.
  void reproduce(const ReduceResult& result, const std::string& summary) {
    std::string folder = args_.text("--reproduction").value_or("");
    if (is_auto() && !args_.has("--reproduction") && !saving_.typed.empty()) {
      const fs::path output(saving_.typed);
      folder = (output.parent_path() / (output.stem().string() + "_reproduction")).string();
    }
    if (folder.empty()) return;
    Reproduction reproduction{.folder = session_.env().path(folder),
                              .typed = folder,
                              .options = model_check_words(args_),
                              .artifact = resolve_loop(args_, kArtifact).artifact,
                              .failure = result.failure,
                              .summary = summary,
                              .inputs = result.inputs,
                              .paths = options_.paths};
    if (args_.has("--check")) reproduction.command = resolve_check(args_).command;
    const auto write = [&](const std::string& path) {
      graphsurgeon::save_model(*result.bad, path, {.durability = Durability::kNone});
    };
    write_reproduction(reproduction, *result.bad, write, log_);
  }

  Session& session_;
  const ParsedArgs& args_;
  Logger& log_;
  ModelArgs model_args_;
  ModelSource source_;
  OnnxSaving saving_;
  std::string min_good_;
  ReduceOptions options_;
};

}  // namespace

int run_reduction(Session& session) {
  return ReductionCommand(session).run();
}

}  // namespace polygraphy::cli
