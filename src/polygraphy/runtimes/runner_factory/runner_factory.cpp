#include "polygraphy/runtimes/runner_factory/runner_factory.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/fingerprint.h"
#include "base/log_modules.h"
#include "base/os/scratch_folder.h"
#include "base/text.h"
#include "polygraphy/models/loaders/model_folder.h"
#include "polygraphy/models/tensorflow/model_forms.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/library_clashes.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/backend/program_runner.h"
#include "polygraphy/runtimes/backend/session_runner.h"
#include "polygraphy/runtimes/compiled/engine_job.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"
#include "polygraphy/runtimes/runner_factory/model_format.h"
#include "polygraphy/runtimes/worker/kept_workers.h"
#include "polygraphy/runtimes/worker/worker_runner.h"

namespace polygraphy {
namespace {

// Each engine is built once, in a temporary folder that lives as long as this.
class ScriptEngines {
 public:
  // The engine, and the options that are left for loading it in job.runner; nullopt: the job has no
  // scripts. Throws as build_engine().
  std::optional<ModelSource> build(EngineJob& job, Logger& log);

 private:
  struct Built {
    std::string key;
    ScratchFolder folder;
  };

  std::vector<std::unique_ptr<const Built>> built_;
};

constexpr const char* kFile = "model.engine";

// Empty: the model is in memory, and may be another one by the next call.
std::string key_of(const EngineJob& job) {
  if (job.model.model) return {};
  const auto& [path, in_memory, format, data_dir, ignore_data, outputs, exclude, by_type, shapes,
               float16, also, tidy, inline_refused, tensorflow] = job.model;
  FingerprintBuilder key;
  key.add(job.runner.digest().text()).add(path).add(format).add(data_dir);
  for (const bool flag : {ignore_data, shapes, float16, tidy}) key.add(uint64_t{flag});
  for (const auto* list : {&outputs, &exclude, &by_type, &also}) {
    key.add(uint64_t{list->size()});
    for (const std::string& item : *list) key.add(item);
  }
  return key.value().text();
}

std::optional<ModelSource> ScriptEngines::build(EngineJob& job, Logger& log) {
  if (!needs_python(job)) return std::nullopt;
  const std::string key = key_of(job);
  const Built* found = nullptr;
  for (const auto& built : built_) {
    if (!key.empty() && built->key == key) found = built.get();
  }
  if (!found) {
    std::unique_ptr<const Built> built(
        new Built{.key = key, .folder = ScratchFolder(temporary_folder() + "/.polygraphy-model-")});
    build_engine(job, built->folder / kFile, log);
    found = built_.emplace_back(std::move(built)).get();
  }
  job.runner.session.options = options_of_running(job.runner.session.options);
  job.runner.session.options.emplace_back("unnamed_engine", std::vector<std::string>());
  return ModelSource{.path = found->folder / kFile, .format = "engine"};
}

// "1.23.2" of libonnxruntime.so.1.23.2; empty when the file's name does not say it.
std::string version_in(const std::string& library) {
  std::error_code ignored;
  const std::string file = std::filesystem::canonical(library, ignored).filename().string();
  const size_t at = file.find(".so.");
  return at == std::string::npos ? "" : file.substr(at + 4);
}

// Whether the specs run this back end on more than one library.
bool uses_several_libraries(const std::string& backend, const std::vector<RunnerSpec>& specs) {
  const std::string* library = nullptr;
  for (const RunnerSpec& spec : specs) {
    if (spec.backend != backend) continue;
    if (library && *library != spec.library) return true;
    library = &spec.library;
  }
  return false;
}

// "onnxrt-runner"; with the version if runners use different libraries.
std::string prefix_of(const RunnerSpec& spec, const std::vector<RunnerSpec>& specs,
                      const BackendCatalog& catalog) {
  const std::string prefix = catalog.get(spec.backend).options->runner_prefix;
  if (!uses_several_libraries(spec.backend, specs)) return prefix;
  const std::string version = version_in(spec.library);
  return version.empty() ? prefix : prefix + "-" + version;
}

// Of those that would share a process.
std::string_view clash_of(const std::vector<RunnerSpec>& specs) {
  std::vector<std::pair<std::string, std::string>> libraries;
  for (const RunnerSpec& spec : specs) {
    if (!spec.backend.empty() && !spec.isolated && !spec.timeout)
      libraries.emplace_back(spec.backend, spec.library);
  }
  return library_clash(libraries);
}

// Keeps `owner` as long as the runner.
std::shared_ptr<Runner> owning(std::unique_ptr<Runner> runner, std::shared_ptr<const void> owner) {
  return {runner.release(), [owner = std::move(owner)](Runner* each) { delete each; }};
}

// The objects that a runner refers to.
struct Owned {
  std::shared_ptr<PluginHost> host;
  std::optional<ModelFolder> folder;  // of a model in memory, for another process
};

// Another process is given a file.
void put_into_file(ModelSource& model, Owned& owned) {
  if (!model.model) return;
  owned.folder.emplace(*model.model);
  model.path = owned.folder->model_path();
  model.model = nullptr;
}

// The spec's own model, read as the job's is. `backend`: null for a program.
ModelSource own_model(const RunnerSpec& spec, const ModelSource& of_job,
                      const pgb_backend_options* backend) {
  ModelSource model = of_job;
  model.path = spec.model;
  model.model = nullptr;
  model.external_data_dir.clear();
  std::string_view format = backend ? format_by_name(spec.model, {&backend, 1}) : "";
  if (format.empty()) format = usual_format(spec.model);
  model.format = format.empty() ? kOnnxFormat : format;
  return model;
}

void require_format(const pgb_backend_options& backend, const ModelSource& model) {
  if (takes_format(backend, model.format)) return;
  if (model.format == kNetworkScriptFormat && takes_format(backend, "engine")) return;
  throw Error(kFormatNotTaken,
              std::string(backend.name) + " cannot run " + model.path + ": it is a model of type " +
                  model.format,
              std::string(backend.name) + " takes models of type: " + formats_text(backend));
}

}  // namespace

struct RunnerFactory::State {
  explicit State(std::shared_ptr<UserPython> python) : forms(std::move(python)) {}

  // A runtime keeps its log as long as it is open: longer than the runners made with it.
  Logger bundled_log;

  std::shared_ptr<PluginHost> host, bundled;
  std::weak_ptr<KeptWorkers> processes;
  ModelForms forms;
  ScriptEngines engines;
  LibraryVersions versions;  // of hosts that are no longer needed, too

  void keep_versions(const PluginHost& each) {
    for (const auto& [library, version] : each.versions()) versions[library] = version;
  }

  PluginHost& opened(const RunnerTools& tools, Logger& log) {
    return *open(host, tools.paths, tools, log);
  }
  std::shared_ptr<PluginHost> host_for(const RunnerSpec& spec, const RunnerTools& tools,
                                       Logger& host_log) {
    if (!spec.bundled) return open(host, tools.paths, tools, host_log);
    if (!bundled) show_as_verbose(bundled_log, host_log, log_modules::kRun);
    return open(bundled, bundled_only(tools.paths), tools, bundled_log);
  }

 private:
  static std::shared_ptr<PluginHost>& open(std::shared_ptr<PluginHost>& kept, PluginPaths paths,
                                           const RunnerTools& tools, Logger& log) {
    if (kept) return kept;
    kept = std::make_shared<PluginHost>(std::move(paths), log);
    kept->cancel_on(tools.cancel);
    return kept;
  }
};

RunnerFactory::RunnerFactory(RunnerTools tools, Logger& log)
    : tools_(std::move(tools)), log_(log), state_(std::make_unique<State>(tools_.python)) {}

RunnerFactory::~RunnerFactory() = default;

std::vector<RunnerSpec> RunnerFactory::complete(std::vector<RunnerSpec> specs) {
  for (RunnerSpec& spec : specs) {
    if (!spec.name.empty()) continue;
    PluginHost& host = state_->opened(tools_, log_);
    const std::string prefix = spec.backend.empty() ? program_runner_prefix(spec.program)
                                                    : prefix_of(spec, specs, host.catalog());
    spec.name = next_runner_name(host, prefix, !tools_.names_without_time);
  }
  const std::string_view clash = clash_of(specs);
  if (clash.empty()) return specs;
  log_.info(log_modules::kRun, "Running each runner in a separate process: " + std::string(clash));
  for (RunnerSpec& spec : specs) spec.isolated = !spec.backend.empty();
  return specs;
}

RunnerSpec RunnerFactory::isolated(RunnerSpec spec) const {
  spec.isolated = spec.isolated || (!spec.backend.empty() && !tools_.program.empty());
  return spec;
}

std::shared_ptr<Runner> RunnerFactory::make(const RunnerSpec& given, const ModelSource& model,
                                            Logger& log) {
  RunnerSpec spec = given.name.empty() ? complete({given}).front() : given;
  const auto owned = std::make_shared<Owned>();
  owned->host = state_->host_for(spec, tools_, log_);
  PluginHost& host = *owned->host;
  if (spec.backend.empty()) {
    ModelSource source = form_for(spec, model);
    put_into_file(source, *owned);
    return owning(make_program_runner(host,
                                      {.program = spec.program,
                                       .python = tools_.paths.python,
                                       .model = std::move(source),
                                       .timeout = spec.timeout,
                                       .name = spec.name},
                                      log),
                  owned);
  }
  const pgb_backend_options& backend = *host.catalog().get(spec.backend).options;
  EngineJob job{.runner = spec, .model = form_for(spec, model), .tools = tools_};
  require_format(backend, job.model);
  if (const auto engine = state_->engines.build(job, log)) job.model = *engine;
  if (!spec.isolated && !spec.timeout && !wants_own_process(backend)) {
    return owning(make_named_runner(spec.name, host, backend, std::move(job.model),
                                    std::move(job.runner.session), spec.library, log),
                  owned);
  }
  if (tools_.program.empty()) {
    throw Error(kNothingIsolates,
                spec.name + " needs a separate process, and the executable polygraphy is missing",
                "Set RunnerTools::program.");
  }
  put_into_file(job.model, *owned);
  return owning(
      make_worker_runner(
          spec.name, host, backend, std::move(job.model), std::move(job.runner.session),
          spec.library,
          {.program = tools_.program, .timeout = spec.timeout, .kept = state_->processes.lock()},
          log),
      owned);
}

Runners RunnerFactory::make_all(const std::vector<RunnerSpec>& specs, const ModelSource& model,
                                Logger& log) {
  Runners runners;
  for (const RunnerSpec& spec : complete(specs)) runners.push_back(make(spec, model, log));
  return runners;
}

ModelSource RunnerFactory::onnx(const ModelSource& model) {
  return state_->forms.onnx(model);
}

ModelSource RunnerFactory::form_for(const RunnerSpec& spec, const ModelSource& of_job) {
  const pgb_backend_options* backend =
      spec.backend.empty() ? nullptr
                           : state_->opened(tools_, log_).catalog().get(spec.backend).options;
  const ModelSource model = spec.model.empty() ? of_job : own_model(spec, of_job, backend);
  return backend && takes_format(*backend, model.format) ? state_->forms.readable(model)
                                                         : state_->forms.onnx(model);
}

std::shared_ptr<const void> RunnerFactory::keep_processes() {
  auto processes = std::make_shared<KeptWorkers>();
  state_->processes = processes;
  return processes;
}

EngineSwitches RunnerFactory::switches(const RunnerSpec& spec) {
  if (spec.backend.empty()) return {};
  return switches_of(*state_->opened(tools_, log_).catalog().get(spec.backend).options);
}

void RunnerFactory::set_threads(RunnerSpec& spec, int64_t threads) {
  const std::string key = switches(spec).threads;
  BackendOptions& options = spec.session.options;
  const auto is_it = [&](const auto& option) { return option.first == key; };
  if (!key.empty() && std::ranges::none_of(options, is_it))
    options.emplace_back(key, std::vector{std::to_string(threads)});
}

bool RunnerFactory::reads_links(const RunnerSpec& spec) {
  if (spec.backend.empty()) return false;
  return !runs_in_python(*state_->opened(tools_, log_).catalog().get(spec.backend).options);
}

std::string RunnerFactory::version(const RunnerSpec& spec) const {
  if (state_->host) state_->keep_versions(*state_->host);
  const auto found = state_->versions.find({spec.backend, spec.library});
  return found == state_->versions.end() ? "" : found->second;
}

std::string RunnerFactory::installed_version(const RunnerSpec& spec) {
  if (spec.backend.empty()) return {};
  try {
    static_cast<void>(state_->opened(tools_, log_).open(spec.backend, spec.library));
  } catch (const Error& error) {
    if (error.code() != kNotAvailable) throw;
  }
  return version(spec);
}

void RunnerFactory::close() {
  if (state_->host) state_->keep_versions(*state_->host);
  state_->host.reset();
  state_->bundled.reset();
}

}  // namespace polygraphy
