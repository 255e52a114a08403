// `polygraphy debug reduce`.
#include <filesystem>

#include "base/thread_pool.h"
#include "cli/args/data_loader.h"
#include "cli/args/debugging.h"
#include "cli/args/logging.h"
#include "cli/args/model.h"
#include "cli/args/model_checks.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/args/onnx_shape_inference.h"
#include "cli/deferred_interrupts.h"
#include "cli/plugin_paths.h"
#include "cli/recorded_inputs.h"
#include "cli/reduction_journal.h"
#include "cli/reproduction.h"
#include "cli/surgery.h"
#include "cli/syntax/command.h"
#include "cli/unsupported_options.h"
#include "cli/user_scripts.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/passes/constant_nodes.h"
#include "polygraphy/reduce/auto_reduce.h"
#include "polygraphy/reduce/candidates/candidate_folder.h"
#include "polygraphy/reduce/oracle/candidate_files.h"
#include "polygraphy/reduce/reduce.h"
#include "polygraphy/reduce/summary.h"
#include "polygraphy/surgeon/fallback_shapes.h"
#include "polygraphy/surgeon/override_shapes.h"
#include "polygraphy/surgeon/surgery.h"

namespace polygraphy::cli {
namespace {

using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using graphsurgeon::TypeKind;

constexpr std::string_view kModule = "tools/debug/subtool/reduce.py";

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_pass_fail},
    {&args_model_checks},
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
};

constexpr Option kOptions[] = {
    {.spellings = "--min-good --minimal-good",
     .help =
         "Where to write a model that passes and is as close as possible in size to the reduced "
         "one.",
     .type = ValueType::kPath},
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
             "smaller model; auto (new) finds the nodes at fault wherever they are, and only "
             "failures like that of the whole model count. Default: bisect.",
     .choices = "bisect linear auto",
     .added_choices = "auto"},
    {.spellings = "-j --jobs",
     .help = "How many checks run at a time; 0: one per core. Each check has its own file: {model} "
             "in the check command is replaced by its path, and $POLYGRAPHY_DEBUG_MODEL holds it. "
             "Result, replay and log are those of one check at a time. Default: 1.",
     .type = ValueType::kInt,
     .metavar = "N",
     .origin = Origin::kOurs},
    {.spellings = "--journal",
     .help = "A file to which every verdict is written as soon as it is known, so that --resume "
             "can continue after a crash or a kill. With it, equal candidates are checked once in "
             "every mode. It must not exist yet.",
     .type = ValueType::kPath,
     .origin = Origin::kOurs},
    {.spellings = "--resume",
     .help = "Continue where the --journal ends: its candidates are not checked again. The model, "
             "the check and the input data must be the same; the mode may differ.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
    {.spellings = "--reproduction",
     .help = "A folder that reproduces the failure: the reduced model, its input data, the check, "
             "versions, and a README.md. Default with --mode auto: the output's name with "
             "_reproduction; '': none.",
     .type = ValueType::kFolder,
     .origin = Origin::kOurs},
    {.spellings = "--work-dir",
     .help = "The folder for the candidates, created if missing: for a --launcher, one that other "
             "machines share. Default: that of --iter-artifact.",
     .type = ValueType::kFolder,
     .origin = Origin::kOurs},
    {.spellings = "--launcher",
     .help = "Words to put before the check command, split as a shell does: 'srun -n1' runs each "
             "check through Slurm.",
     .metavar = "COMMAND",
     .origin = Origin::kOurs},
};

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
  std::filesystem::create_directories(session.env().path(*folder), error);
  if (error) throw IoError("Cannot make the folder " + *folder + ": " + error.message());
  loop.artifact =
      (std::filesystem::path(*folder) / std::filesystem::path(loop.artifact).filename()).string();
  return loop;
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
    log.warning(kModule,
                "The model has dynamic input shapes, so those of tensors inside it are not known. "
                "Give them with --model-input-shapes, or freeze them with `polygraphy surgeon "
                "sanitize --override-input-shapes`.");
  }
  for (const NodeRef& node : model.graph->nodes()) {
    if (node->op() != "Shape") continue;
    log.warning(kModule,
                "The model computes with shapes (it has Shape nodes). It reduces better when they "
                "are folded away: `polygraphy surgeon sanitize --fold-constants`.");
    break;
  }
}

class Reducing {
 public:
  explicit Reducing(Session& session)
      : session_(session),
        args_(session.args()),
        log_(session.log()),
        model_args_((check_for_unsupported_options(args_, log_),
                     resolve_model(args_, session.env(), log_))),
        source_(resolve_model_source(args_, session.env(), model_args_.path)),
        saving_(resolve_onnx_saving(args_, session.env())),
        min_good_(args_.text("--min-good").value_or("")),
        loop_options_(in_work_dir(resolve_loop(args_, "polygraphy_debug.onnx"), session_)),
        auto_(args_.text("--mode").value_or("") == "auto"),
        jobs_(resolve_jobs(args_, loop_options_)),
        make_check_(make_check(session, has_own_paths() ? loop_options_.artifact : std::string(),
                               in_process_inputs())) {
    if (saving_.typed.empty() && min_good_.empty()) {
      throw Error(
          "--output (where to write the reduced model) and/or --min-good (where to write a reduced "
          "model that passes) must be provided!");
    }
    options_.mode = args_.text("--mode").value_or("bisect") == "linear" ? ReduceMode::kLinear
                                                                        : ReduceMode::kBisect;
    options_.inputs = !args_.has("--no-reduce-inputs");
    options_.outputs = !args_.has("--no-reduce-outputs");
    options_.want_good = !min_good_.empty();
  }

  int run() {
    session_.announce();
    DataLoaderArgs inputs = resolve_data_loader(args_, session_.env(), model_args_.shapes, log_);
    use_graph_of(source_, inputs);
    inputs.options.announce_shapes = false;
    const auto python = make_user_python(session_.env(), log_);
    const auto model = load(inputs, python);
    const auto feeds = make_feeds(inputs, python, log_);
    const auto values = std::make_shared<RecordedValues>();
    PartEngine engine = part_engine(*model, log_);
    Recordings recordings(*model, engine, *feeds, log_, values);

    // What is tried on guesses leaves no trace, in the log neither.
    const auto thresholds = log_.thresholds();
    const bool tells_of_runs =
        std::any_of(thresholds.begin(), thresholds.end(),
                    [](const auto& module) { return module.second < Severity::kInfo; });
    Logger silent;
    PartEngine silent_engine = part_engine(*model, silent);
    const auto feeds_ahead = make_feeds(inputs, python, silent);
    Recordings ahead(*model, tells_of_runs ? silent_engine : engine, *feeds_ahead, silent,
                     tells_of_runs ? std::make_shared<RecordedValues>() : values);
    // Checks that run side by side ask from threads of their own.
    PartEngine engine_of_checks = part_engine(*model, silent);
    std::unique_ptr<FeedSource> feeds_of_checks;
    std::optional<Recordings> of_checks;
    if (jobs_ > 1 && selected_model_check(args_)) {
      feeds_of_checks = make_feeds(inputs, python, silent);
      of_checks.emplace(*model, engine_of_checks, *feeds_of_checks, silent);
    }
    if (selected_model_check(args_)) {
      inputs_ = recorded_inputs(of_checks ? *of_checks : recordings, inputs.options);
      if (!wants_artifacts()) {
        shared_ = std::make_unique<CandidateFolder>(*model, folder_of_candidates());
        loop_options_.artifact = shared_->path("candidate.onnx");
      }
    }

    const auto journal = open_journal(session_, *model);
    if (journal && !shared_) {
      journal->write_candidates_to(candidate_paths(loop_options_.artifact, jobs_));
    }
    const DeferredInterrupts interrupts(session_.env());
    const double started = session_.env().clock();
    LoopOracle oracle(
        {.make_check = make_check_,
         .loop = loop_options_,
         .others =
             args_.has("--same-failure") || auto_ ? OtherFailures::kPass : OtherFailures::kWarn,
         .jobs = jobs_,
         .cache = auto_,
         .journal = journal.get(),
         .cancel = cancel_flag(session_.env())},
        *model,
        [this](const Model& candidate, const std::string& path, Logger& log) {
          write_candidate(candidate, path, log);
        },
        log_);
    const Reduction result = auto_
                                 ? auto_reduce(*model, recordings, &ahead, oracle, log_)
                                 : reduce_model(*model, options_, recordings, &ahead, oracle, log_);
    report(result, *model);
    if (result.bad) {
      const std::string summary = reduction_summary(*model, *result.bad,
                                                    {.checks = oracle.checks(),
                                                     .cached = oracle.cached(),
                                                     .seconds = session_.env().clock() - started});
      if (!result.interrupted) {
        reproduce(*result.bad, recordings, inputs.options, oracle.failure(), summary);
      }
      // The classic modes log what the original does.
      if (auto_ || jobs_ > 1 || journal) log_.finish(kModule, summary);
    }
    interrupts.check();
    return result.bad ? 0 : 1;
  }

 private:
  // The check has to be told where the file is.
  bool has_own_paths() const {
    return jobs_ > 1 || (args_.has("--work-dir") && args_.has("--check"));
  }

  // Known once the model is loaded.
  CandidateInputs in_process_inputs() {
    return [this](const Metadata& inputs, int64_t sample, Logger& log) {
      return inputs_(inputs, sample, log);
    };
  }

  // Of in-process checks.
  std::string folder_of_candidates() const {
    const std::optional<std::string> folder = args_.text("--work-dir");
    return folder ? session_.env().path(*folder) : "/tmp";
  }

  // Candidates as files that stand alone.
  bool wants_artifacts() const {
    return !loop_options_.artifacts.paths.empty() || args_.has("--iter-artifact") ||
           loop_options_.keep_artifact;
  }

  PartEngine part_engine(const Model& model, Logger& log) const {
    return PartEngine(model, session_.env().executable, resolve_plugin_paths(session_.env()), log,
                      cancel_flag(session_.env()));
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
      log_.info(kModule,
                "Freezing shapes in the model according to values determined by fallback shape "
                "inference");
      const auto feeds = make_feeds(inputs, python, log_);
      BundledEngine engine(resolve_plugin_paths(session_.env()), log_);
      apply_shapes(*model,
                   observe_shapes(engine, *model, observable_tensors(*model), *feeds, log_));
    }
    warn_of_shapes(*model, log_);
    return model;
  }

  void write_candidate(const Model& candidate, const std::string& path, Logger& log) const {
    if (shared_) return shared_->write(candidate, path);
    OnnxSaving saving = saving_;
    saving.typed = saving.path = path;
    saving.options.durability = Durability::kNone;
    // Of several candidates, each has data of its own.
    if (jobs_ > 1 && saving.options.external_data) saving.options.external_data = "";
    save_onnx(candidate, saving, log);
  }

  void report(const Reduction& result, const Model& original) {
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
      log_.warning(kModule, "Interrupted: this is the smallest failing model so far.");
    } else if (!auto_ && options_.mode == ReduceMode::kBisect && left > 1 && left * 4 >= all) {
      log_.warning(kModule,
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
          kModule,
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

  // Without being asked for, only where nobody expects what the original leaves behind.
  void reproduce(const Model& failing, Recordings& recordings, const DataLoaderOptions& inputs,
                 const std::string& failure, const std::string& summary) {
    std::string folder = args_.text("--reproduction").value_or("");
    if (auto_ && !args_.has("--reproduction") && !saving_.typed.empty()) {
      const std::filesystem::path output(saving_.typed);
      folder = (output.parent_path() / (output.stem().string() + "_reproduction")).string();
    }
    if (folder.empty()) return;
    Reproduction reproduction{.folder = folder,
                              .artifact = resolve_loop(args_, "polygraphy_debug.onnx").artifact,
                              .failure = failure,
                              .summary = summary,
                              .inputs = recorded_inputs(recordings, inputs)};
    if (args_.has("--check")) reproduction.command = resolve_check(args_).command;
    reproduction.option = model_check_words(args_);
    write_reproduction(
        reproduction, failing,
        [&](const std::string& path) {
          graphsurgeon::save_model(failing, path, {.durability = Durability::kNone});
        },
        session_);
  }

  Session& session_;
  const ParsedArgs& args_;
  Logger& log_;
  ModelArgs model_args_;
  ModelSource source_;
  OnnxSaving saving_;
  std::string min_good_;
  LoopOptions loop_options_;
  bool auto_ = false;
  int jobs_ = 1;
  CandidateInputs inputs_;                   // of in-process checks
  std::unique_ptr<CandidateFolder> shared_;  // where they find candidates; null: --iter-artifact
  MakeCheck make_check_;
  ReduceOptions options_;
};

int run(Session& session) {
  return Reducing(session).run();
}

}  // namespace

extern const Command command_debug_reduce;
constinit const Command command_debug_reduce = {
    .path = "debug reduce",
    .summary = "Shrink a failing model to the nodes that fail.",
    .description =
        "Remove nodes from a failing ONNX model, check the rest, and continue until the smallest "
        "model that still fails is found. Give a command that checks the file "
        "polygraphy_debug.onnx with --check, or answer on the terminal.",
    .order = 2,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .run = run,
};

}  // namespace polygraphy::cli
