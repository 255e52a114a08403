// `polygraphy plugin autotune`.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/os/scratch_folder.h"
#include "base/os/writable.h"
#include "base/text.h"
#include "cli/args/data_loader.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/jobs/engine_job.h"
#include "cli/jobs/option_warnings.h"
#include "cli/jobs/plugin_job.h"
#include "cli/jobs/runner_specs.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/runner_tools.h"
#include "cli/session/session.h"
#include "cli/session/user_interpreter.h"
#include "cli/syntax/command.h"
#include "polygraphy/comparison/benchmark/benchmark_cases.h"
#include "polygraphy/diagnosis/autotune/autotune.h"

namespace polygraphy::cli {

namespace {

// The back end that measures where no runner is selected.
constexpr std::string_view kDefaultTimedBackend = "tensorrt";

namespace fs = std::filesystem;

int64_t at_least_one(const ParsedArgs& args, std::string_view option, int64_t otherwise) {
  const int64_t value = args.integer(option).value_or(otherwise);
  if (value >= 1) return value;
  throw Error(std::string(option) + " must be at least 1, but was: " + std::to_string(value));
}

SubsetLimits resolve_limits(const ParsedArgs& args, Logger& log) {
  SubsetLimits limits;
  limits.most = at_least_one(args, "--max-combinations", limits.most);
  limits.threshold = args.number("--threshold").value_or(limits.threshold);
  if (!(limits.threshold >= 0)) {
    throw Error("--threshold must be a fraction of at least 0, but was: " +
                args.text("--threshold").value_or(""));
  }
  if (limits.threshold >= 1) {
    log.warning(log_modules::kAutotune, "--threshold " + args.text("--threshold").value_or("") +
                                            " is unreachable: it is a fraction, such as 0.1");
  }
  return limits;
}

// The runner that measures; null: the default.
const Occurrence* resolve_runner(const ParsedArgs& args) {
  const Occurrence* runner = nullptr;
  for (const Occurrence& each : args.occurrences()) {
    if (!each.selects_runner()) continue;
    if (runner) {
      throw Error("Models are measured on one runner, but two are selected: " + runner->spelling +
                      " and " + each.spelling,
                  "Leave one of them out.");
    }
    runner = &each;
  }
  return runner;
}

bool is_tensorrt(const Occurrence* runner) {
  return !runner || (runner->entry->runner && runner->entry->runner->name == kDefaultTimedBackend);
}

// Every candidate would write them.
void refuse_written_files(const ParsedArgs& args) {
  for (const Occurrence& each : args.occurrences()) {
    if (!each.entry->backend || each.entry->option->files != FileUse::kWritten) continue;
    const bool cache = each.entry->key() == "--save-timing-cache";
    throw Error(each.spelling + " would be overwritten for each measured model",
                cache ? "Use --timing-cache, which is read and updated." : "Leave it out.");
  }
}

void check_runner_options(const ParsedArgs& args, const Occurrence* runner, Logger& log) {
  if (args.has("--python-plugins")) {
    throw Error("--python-plugins cannot be measured: engines run without Python here",
                "Use plugin libraries with --plugin-libraries, or --skip-autotuning to search for "
                "subgraphs only.");
  }
  refuse_written_files(args);
  if (runner) warn_of_unused_backend_options(args, log);
  if (is_tensorrt(runner)) return;
  for (const std::string_view option :
       {"--plugin-libraries", "--timing-cache", "--no-timing-cache"}) {
    if (!args.has(option)) continue;
    log.warning(log_modules::kAutotune,
                "Option: " + args.display(option) + " has no effect without --trt");
  }
}

ReplacementConfig load_config(Session& session, const PluginJob& job, const std::string& typed,
                              const std::string& path) {
  session.log().info(log_modules::kAutotune, "Loading plugin config from " + typed);
  ReplacementConfig config = read_config_file(path);
  const auto& [folder, include, exclude] = job.match.patterns;
  std::erase_if(config, [&](const PluginMatches& matches) {
    const auto is_in = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), matches.plugin) != names.end();
    };
    return (!include.empty() && !is_in(include)) || is_in(exclude);
  });
  return config;
}

// The configuration as the original logs it after it has written and loaded the file.
std::string shown_config(const ParsedArgs& args) {
  constexpr std::string_view kName = "config.yaml";
  if (args.has("--save-config-yaml"))
    return args.text("--save-config-yaml").value_or(std::string(kName));
  return (fs::path(args.text("model_file").value_or("")).parent_path() / kName).native();
}

struct NamedConfig {
  ReplacementConfig config;
  std::string name;
};

// Of the file that was given, or found by the patterns, and written.
NamedConfig resolve_config(Session& session, const PluginJob& job) {
  const ParsedArgs& args = session.args();
  Logger& log = session.log();
  const auto loaded = args.text("--load-config-yaml");
  Logger silent;
  const size_t patterns = find_patterns(job.match.patterns, loaded ? log : silent).size();
  log.info(log_modules::kAutotune, "Loaded " + std::to_string(patterns) + " plugin(s) from " +
                                       args.text("--plugin-dir").value_or(""));
  if (loaded) {
    if (args.has("--save-config-yaml")) {
      log.warning(log_modules::kAutotune,
                  "Option: --save-config-yaml has no effect with --load-config-yaml: there is no "
                  "search for subgraphs");
    }
    return {load_config(session, job, *loaded, session.env().path(*loaded)), *loaded};
  }
  NamedFile output = output_of_job(session, job, "--save-config-yaml", "config.yaml");
  if (args.has("--save-config-yaml") && !args.text("--save-config-yaml")) {
    output = {"config.yaml", session.env().path("config.yaml")};
    refuse_link(output.path);
  }
  FoundPlugins found =
      match_plugins(job.match, make_user_python(session.env(), session.log()), session.log());
  write_file(output.path, config_text(found.config));
  log.info(log_modules::kPlugin, "Matching subgraphs saved to " + output.typed);
  log.info(log_modules::kAutotune, "Loading plugin config from " + shown_config(args));
  return {std::move(found.config), output.typed};
}

// The caches that engines are built with: the file that is named, or one for this command alone.
std::string timing_cache(Session& session) {
  const ParsedArgs& args = session.args();
  if (args.has("--no-timing-cache")) return {};
  if (const auto typed = args.text("--timing-cache")) return session.env().path(*typed);
  if (args.has("--load-timing-cache")) return {};
  const auto folder = std::make_shared<ScratchFolder>(temporary_folder() + "/.polygraphy-timing-");
  session.keep(folder);
  return *folder / "timing.cache";
}

// The device that the runner computes on, as far as its options say so.
std::string device_of(const RunnerSpec& spec, const Environment& env) {
  const auto on_gpu = [](const std::string& value) {
    const std::string text = to_lower(value);
    return text.find("cuda") != text.npos || text.find("gpu") != text.npos;
  };
  const bool gpu = spec.backend == kDefaultTimedBackend ||
                   std::ranges::any_of(spec.session.options, [&](const auto& option) {
                     return std::ranges::any_of(option.second, on_gpu);
                   });
  return gpu ? gpu_device(env) : "cpu";
}

// --plugin-libraries, beside those of the back end's own option.
void add_plugin_libraries(const std::vector<std::string>& libraries, BackendOptions& options) {
  if (libraries.empty()) return;
  const auto given = std::find_if(options.begin(), options.end(),
                                  [](const auto& option) { return option.first == "plugins"; });
  if (given == options.end()) {
    options.emplace_back("plugins", libraries);
  } else {
    given->second.insert(given->second.end(), libraries.begin(), libraries.end());
  }
}

MeasureOptions resolve_measuring(Session& session, const PluginJob& job,
                                 const DataLoaderArgs& inputs, const RunnerTools& tools) {
  const ParsedArgs& args = session.args();
  const Metadata& shapes = job.shapes;
  std::vector<RunnerSpec> specs = resolve_runner_specs(args, session.env(), shapes);
  if (specs.empty()) {
    specs = {resolve_runner_spec(args, session.env(), std::string(kDefaultTimedBackend), shapes)};
  }
  require_runnable(session, specs, job.match.model);
  set_calibration(specs, inputs, tools.python, session.log());
  MeasureOptions measure{.runner = std::move(specs.front()), .cancel = tools.cancel};
  measure.device = device_of(measure.runner, session.env());
  if (measure.runner.backend == kDefaultTimedBackend) {
    std::vector<std::string> libraries = args.list("--plugin-libraries");
    for (std::string& library : libraries) library = session.env().path(library);
    add_plugin_libraries(libraries, measure.runner.session.options);
    measure.timing_cache = timing_cache(session);
  }
  return measure;
}

int run_autotuning(Session& session) {
  const ParsedArgs& args = session.args();
  Environment& env = session.env();
  Logger& log = session.log();
  const bool skip = args.has("--skip-autotuning");
  const SubsetLimits limits = resolve_limits(args, log);
  const int64_t runs = at_least_one(args, "--runs", 10);
  const Occurrence* runner = skip ? nullptr : resolve_runner(args);
  if (!skip) check_runner_options(args, runner, log);
  const PluginJob plugin = resolve_plugin_job(session);
  DataLoaderArgs inputs = resolve_data_loader(args, env, plugin.shapes, log);
  NamedConfig config = resolve_config(session, plugin);
  if (skip) return 0;
  use_graph_of(plugin.match.model, inputs);
  require_inputs(inputs);
  const RunnerTools tools = resolve_runner_tools(session);
  RunnerFactory factory(tools, log);
  MeasureOptions measure = resolve_measuring(session, plugin, inputs, tools);
  measure.inputs = first_feed_case(make_feeds(inputs, tools.python, log));
  measure.runs = runs;
  const AutotuneJob job{.replace = {.model = plugin.match.model,
                                    .plugin_folder = plugin.match.patterns.folder,
                                    .packages = plugin.match.packages},
                        .config = std::move(config.config),
                        .config_name = config.name,
                        .model_name = args.text("model_file").value_or(""),
                        .python = [&] { return tools.python; },
                        .measure = std::move(measure),
                        .mode = args.text("--autotune-mode") == "exhaustive"
                                    ? AutotuneMode::kExhaustive
                                    : AutotuneMode::kGreedy,
                        .limits = limits,
                        .output = resolve_onnx_saving(args, env),
                        .report = env.path(args.text("--report").value_or("")),
                        .typed_report = args.text("--report").value_or("")};
  const DeferredInterrupts interrupts(env);
  autotune(job, factory, log);
  interrupts.check();
  return 0;
}

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_runners},
    {&args_backend_path},
    {&args_required_model, "model_file --input-shapes"},
    {&args_onnx_saving, kSavingOptions},
    {&args_onnx_loading, kLoadingOptions},
    {&args_engines},
    {&args_data_loader},
    {&args_isolation, "--isolate --timeout"},
    {&args_plugins},
};

constexpr Option kOptions[] = {
    {.spellings = "--autotune-mode",
     .help =
         "Search for the fastest model. greedy adds one replacement at a time, and keeps it if the "
         "model becomes faster; exhaustive tries the subsets, small ones first. Default: greedy.",
     .choices = "greedy exhaustive"},
    {.spellings = "--max-combinations",
     .help = "For exhaustive: maximum number of subsets to try. Default: 1000.",
     .type = ValueType::kInt,
     .metavar = "COUNT",
     .needs = "--autotune-mode=exhaustive"},
    {.spellings = "--threshold",
     .help = "For exhaustive: stop at a model that lowers the latency by more than this fraction. "
             "Default: 0.1.",
     .type = ValueType::kFloat,
     .metavar = "SHARE",
     .needs = "--autotune-mode=exhaustive"},
    {.spellings = "--runs",
     .help = "Number of measured runs per model, after 2 warm-up runs. Default: 10.",
     .type = ValueType::kInt,
     .metavar = "COUNT",
     .origin = Origin::kOurs},
    {.spellings = "--report",
     .help = "Also write the candidates, measurements and decisions to this text file.",
     .files = FileUse::kWritten,
     .metavar = "FILE"},
    {.spellings = "--save-config-yaml",
     .help = "Write the found subgraphs to this file, for --load-config-yaml and `polygraphy "
             "plugin replace`. Without a path: config.yaml. Default: config.yaml beside the model.",
     .arity = Arity::kOptional,
     .files = FileUse::kWritten,
     .metavar = "FILE"},
    {.spellings = "--load-config-yaml",
     .help = "Load the subgraphs from this file instead of searching for them.",
     .files = FileUse::kRead,
     .metavar = "FILE"},
    {.spellings = "--skip-autotuning",
     .help = "Search for subgraphs and write the configuration, without measuring.",
     .arity = Arity::kFlag},
    {.spellings = "--plugin-libraries",
     .help = "For --trt: plugin libraries to build and run engines with.",
     .arity = Arity::kOneOrMore,
     .files = FileUse::kRead,
     .metavar = "FILE"},
    {.spellings = "--python-plugins",
     .help = "Python files that register TensorRT plugins. Only with --skip-autotuning: engines "
             "run without Python.",
     .arity = Arity::kOneOrMore,
     .files = FileUse::kRead,
     .metavar = "FILE"},
    {.spellings = "--timing-cache",
     .help = "For --trt: timing cache to build engines with and to update, created if missing. "
             "Default: a temporary one.",
     .files = FileUse::kUpdated,
     .metavar = "FILE"},
    {.spellings = "--no-timing-cache",
     .help = "For --trt: build every engine without a timing cache.",
     .arity = Arity::kFlag},
};

}  // namespace

extern constinit const Command command_plugin_autotune = {
    .path = "plugin autotune",
    .summary = "Replace the subgraphs that plugins make faster.",
    .description =
        "Find the subgraphs of a model that plugins can replace, try the replacements, and write "
        "the fastest model. Each candidate is measured beside the best one so far, on the selected "
        "runner (default: TensorRT). Candidates that the runner rejects are skipped.",
    .examples =
        "polygraphy plugin autotune model.onnx --plugin-dir plugins -o fast.onnx\n"
        "polygraphy plugin autotune model.onnx --plugin-dir plugins -o fast.onnx --autotune-mode "
        "exhaustive",
    .order = 3,
    .groups = kGroups,
    .options = kOptions,
    .is_outside = true,
    .run = run_autotuning,
};

}  // namespace polygraphy::cli
