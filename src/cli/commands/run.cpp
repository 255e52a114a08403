// `polygraphy run`.
#include <filesystem>

#include "base/text.h"
#include "cli/args/benchmark.h"
#include "cli/args/comparison.h"
#include "cli/args/data_loader.h"
#include "cli/args/inference.h"
#include "cli/args/isolation.h"
#include "cli/args/logging.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/args/onnx_shape_inference.h"
#include "cli/args/other_functions.h"
#include "cli/args/postprocessing.h"
#include "cli/args/report.h"
#include "cli/args/simple.h"
#include "cli/benchmarking.h"
#include "cli/deferred_interrupts.h"
#include "cli/make_runners.h"
#include "cli/mem_limit.h"
#include "cli/plugin_paths.h"
#include "cli/progress_line.h"
#include "cli/run_report.h"
#include "cli/run_script.h"
#include "cli/session.h"
#include "cli/syntax/command.h"
#include "cli/unsupported_options.h"
#include "cli/user_scripts.h"
#include "polygraphy/inputs/peekable_source.h"

namespace polygraphy::cli {

extern const ArgGroup args_runners, args_pluginref, args_tensorflow, args_engines, args_tensorrt;

namespace {

constexpr std::string_view kModule = "tools/run/run.py";

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_runners},
    {&args_pluginref},
    {&args_model},
    {&args_tensorflow},
    {&args_onnx_saving,
     "--save-onnx --save-external-data --external-data-size-threshold "
     "--no-save-all-tensors-to-one-file --share-external-data"},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading,
     "--external-data-dir --ignore-external-data --onnx-outputs --onnx-exclude-outputs "
     "--onnx-outputs-by-type --fp-to-fp16"},
    {&args_engines},
    {&args_tensorrt},
    {&args_data_loader},
    {&args_inference},
    {&args_isolation},
    {&args_postprocessing},
    {&args_comparison},
    {&args_simple},
    {&args_other_functions},
    {&args_report},
    {&args_benchmark},
};

constexpr Option kOptions[] = {
    {.spellings = "--gen --gen-script",
     .help = "Do not run; write an equivalent Python script for the original's polygraphy package. "
             "'-' is standard output.",
     .type = ValueType::kPath,
     .metavar = "FILE"},
};

// Everything the command line says, in terms of the libraries.
struct Plan {
  ModelArgs model;
  ModelSource source;
  OnnxSaving saving;
  DataLoaderArgs inputs;
  CompareOptions options;
  BenchmarkArgs benchmark;
};

Plan resolve(Session& session) {
  const ParsedArgs& args = session.args();
  Environment& env = session.env();
  Logger& log = session.log();
  check_for_unsupported_options(args, log);
  Plan plan;
  plan.model = resolve_model(args, env, log);
  plan.source = resolve_model_source(args, env, plan.model.path);
  if (!plan.model.type.empty()) plan.source.format = plan.model.type;
  plan.saving = resolve_onnx_saving(args, env);
  plan.inputs = resolve_data_loader(args, env, plan.model.shapes, log);
  use_graph_of(plan.source, plan.inputs);
  resolve_inference(args, env, plan.options);
  resolve_postprocessing(args, plan.options, log);
  resolve_comparison(args, env, plan.options, log);
  resolve_report(args, env, plan.source, plan.options);
  plan.benchmark = resolve_benchmark(args, env);
  return plan;
}

// Options of ours for an engine that is not run would otherwise be ignored in silence; the
// original's are, as there.
void warn_of_unused_engine_options(const ParsedArgs& args, Logger& log) {
  const auto& sections = args.syntax().sections();
  for (const auto& occurrence : args.occurrences()) {
    const auto* backend = sections[occurrence.entry->section].backend;
    if (!backend || occurrence.entry->option->origin != Origin::kOurs) continue;
    bool used = false;
    for (const auto& other : args.occurrences()) used |= other.entry->runner == backend;
    if (used) continue;
    log.warning(kModule, "Option: " + occurrence.entry->display() + " has no effect without " +
                             std::string(split(backend->flags, ' ').front()));
  }
}

// A path, or one of the folders it lies in.
bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

// Only the texts of the paths count, as in the original: nothing has been written yet.
void check_paths(const Plan& plan) {
  const auto plain = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal();
  };
  const CompareOptions& options = plan.options;
  std::vector<std::string> saves;
  for (const auto& save : {options.save_inputs, options.save_outputs, options.save_input_blobs}) {
    if (save.empty()) continue;
    for (const auto& other : saves) {
      if (plain(save) != plain(other)) continue;
      throw Error(
          "Two of save_inputs_path, save_outputs_path, and save_input_blob_path resolve to the "
          "same path ('" +
          other + "'). Use distinct paths.");
    }
    saves.push_back(save);
  }
  std::vector<std::string> loads = plan.inputs.load_inputs;
  loads.insert(loads.end(), options.load_outputs.begin(), options.load_outputs.end());
  for (const auto& load : loads) {
    for (const auto& save : saves) {
      // Raw inputs go into folders of their own below theirs, and nothing there is read.
      const bool overlaps = save == options.save_input_blobs ? plain(load) == plain(save)
                                                             : lies_in(plain(load), plain(save));
      if (!overlaps) continue;
      throw Error("The load path '" + load + "' overlaps the save path '" + save +
                  "'. Saving would overwrite or conflict with the data being loaded. Use distinct "
                  "paths for loading and saving.");
    }
  }
}

// Ctrl-C lets the iteration under way finish: what was run so far is saved, temporary files go.
void cancel_on_interrupts(const Environment& env, PluginHost& host, CompareOptions& options) {
  if (!env.interrupts) return;
  host.cancel_on(env.interrupts->requested);
  options.cancelled = [interrupts = env.interrupts] { return interrupts->requested.load(); };
}

// --save-onnx: what the engines are given, but for the versions that they ask for.
void save_model_as_run(const Plan& plan, Session& session) {
  const auto model = load_onnx(plan.source, session.log());
  save_onnx(*model, plan.saving, session.log());
}

int run(Session& session) {
  Plan plan = resolve(session);
  warn_of_unused_engine_options(session.args(), session.log());
  if (session.args().has("--gen")) {
    check_paths(plan);
    return write_run_script(session, {plan.model, plan.source, plan.saving, plan.options});
  }
  session.announce();
  PluginHost host(resolve_plugin_paths(session.env()), session.log());
  RunnerSettings settings{.isolation = choose_isolation(session)};
  auto runners = make_runners(session, plan.model, plan.source, host, settings);
  if (runners.empty()) {
    session.log().warning(kModule, "No runners have been selected. Inference will not be run!");
  }
  check_paths(plan);
  if (!plan.saving.typed.empty() && !runners.empty()) save_model_as_run(plan, session);
  const auto python = make_user_python(session.env(), session.log());
  const auto make_inputs = [&] { return make_feeds(plan.inputs, python, session.log()); };
  load_scripts(session.args(), session.env(), python, plan.options);
  cancel_on_interrupts(session.env(), host, plan.options);
  const DeferredInterrupts interrupts(session.env());
  ProgressLine progress(session.env(), session.log().enabled(Severity::kInfo, kModule));
  if (progress.active()) {
    plan.options.progress = [&progress](int64_t done, std::optional<int64_t> total) {
      progress.update(done, total);
    };
  }
  bool passed = true;
  if (!plan.benchmark.enabled || plan.benchmark.compare_too) {
    std::unique_ptr<FeedSource> feeds = make_inputs();
    passed = RunReport(session, plan.source, plan.options).around([&] {
      const auto first_feed = [&](const Metadata& inputs) {
        auto peeked = std::make_unique<PeekableSource>(std::move(feeds));
        auto first = peeked->peek(inputs);
        feeds = std::move(peeked);
        return first;
      };
      if (auto groups = plan_output_groups(session, plan.source, runners.size(),
                                           settings.isolation.has_value(), first_feed)) {
        for (const auto& runner : runners) settings.names.push_back(runner->name());
        runners.clear();  // each group has its own, of the same names
        const auto same_inputs = [&] { return feeds ? std::move(feeds) : make_inputs(); };
        return run_in_groups(*groups,
                             {runners_of_groups(session, plan.model, plan.source, settings),
                              same_inputs, memory_limit(session)},
                             plan.options, session.log());
      }
      return run_and_compare(runners, *feeds, plan.options, session.log());
    });
  }
  if (plan.benchmark.enabled) {
    const auto profiled = [&] {
      settings.profile = true;
      return make_runners(session, plan.model, plan.source, host, settings);
    };
    passed &=
        benchmark(runners, plan.benchmark,
                  {profiled, plan.inputs, make_inputs, plan.options.cancelled}, session.log());
  }
  interrupts.check();
  return passed ? 0 : 1;
}

}  // namespace

extern const Command command_run;
constinit const Command command_run = {
    .path = "run",
    .summary = "Run a model on one or more runtimes and compare the outputs.",
    .description =
        "Run a model on one or more runtimes with the same inputs, and compare and check the "
        "outputs.",
    .order = 10,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .run = run,
};

}  // namespace polygraphy::cli
