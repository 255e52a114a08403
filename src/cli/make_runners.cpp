#include "cli/make_runners.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/scratch_folder.h"
#include "base/text.h"
#include "cli/args/engines.h"
#include "cli/args/isolation.h"
#include "cli/engine_job.h"
#include "cli/option_warnings.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/user_interpreter.h"
#include "cli/syntax/parser.h"
#include "cli/tf_model.h"
#include "polygraphy/models/tensorflow/convert_tensorflow.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/library_clashes.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/backend/program_runner.h"
#include "polygraphy/runtimes/backend/session_runner.h"
#include "polygraphy/runtimes/compiled/python_build.h"
#include "polygraphy/runtimes/worker/worker_runner.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kModelRunner = "--model-runner";

// --onnxrt-lib given once is for all runners of the back end; given more often, each is for the
// runner in front of it.
std::string library_of(const ParsedArgs& args, const Environment& env, const Occurrence& runner) {
  const pgb_backend_options& backend = *runner.entry->runner;
  if (!backend.library_option) return {};
  const auto key = split(backend.library_option, ' ').front();
  if (args.count(key) < 2) return env.path(args.text(key).value_or(""));
  const Occurrence* turn = nullptr;
  std::string library;
  for (const Occurrence& occurrence : args.occurrences()) {
    if (occurrence.entry->runner == &backend) turn = &occurrence;
    if (occurrence.entry->key() != key) continue;
    if (!turn) {
      throw Error(std::string(key) + " " + occurrence.values.front() + " has no runner before it",
                  "If repeated, each applies to the runner before it: " +
                      std::string(split(backend.flags, ' ').front()) + " " + std::string(key) +
                      " A " + std::string(split(backend.flags, ' ').front()) + " " +
                      std::string(key) + " B");
    }
    if (turn == &runner) library = env.path(occurrence.values.front());
  }
  return library;
}

// "1.23.2" of libonnxruntime.so.1.23.2; empty when the file's name does not tell.
std::string version_in(const std::string& library) {
  std::error_code ignored;
  const std::string file = std::filesystem::canonical(library, ignored).filename().string();
  const size_t at = file.find(".so.");
  return at == std::string::npos ? "" : file.substr(at + 4);
}

// Throws Error unless the back end takes models of this type.
void require_format(const ParsedArgs& args, const pgb_backend_options& backend,
                    const ModelArgs& model) {
  if (takes_format(backend, model.type)) return refuse_folder(model);
  if (!model.onnx.empty() && takes_format(backend, kOnnxFormat)) return;
  if (model.type == kNetworkScriptFormat && takes_format(backend, "engine")) return;
  const auto& sections = args.syntax().sections();
  const bool known = std::any_of(sections.begin(), sections.end(), [&](const auto& section) {
    return section.backend && takes_format(*section.backend, model.type);
  });
  if (!known) require_onnx(model);
  if (takes_format(backend, kFrozenFormat)) {
    throw Error("Model type: " + model.type + " cannot be imported with TensorFlow.",
                "Model: " + model.path + "\nGive --model-type TYPE (" + formats_text(backend) +
                    ") if it is one of those.");
  }
  refuse_type(model, backend);
}

// What the back end gets of the model: itself, as it is if it is none that the graph library edits,
// or the ONNX model that was made of it. null: any runner of ONNX models.
ModelSource source_for(const pgb_backend_options* backend, const ModelArgs& model,
                       const ModelSource& source) {
  if (is_of_tensorflow(model.type) && backend && takes_format(*backend, model.type))
    return {.path = model.path, .format = model.type};
  return onnx_source(model, source);
}

// The engine that the user's Python builds, where scripts of TensorRT say what, and the options
// that are left for it; else the model.
ModelSource with_scripts(Session& session, const pgb_backend_options& backend,
                         const ModelSource& source, SessionOptions& options,
                         const std::optional<Isolation>& isolation) {
  const EngineJob job{.backend = backend.name,
                      .model = source,
                      .options = options,
                      .timeout = isolation ? isolation->timeout : std::nullopt,
                      .cancel = cancel_token(session.env())};
  if (!needs_python(job)) return source;
  const auto folder = std::make_shared<ScratchFolder>(temporary_folder() + "/.polygraphy-model-");
  ModelSource engine{.path = *folder / "model.engine", .format = "engine"};
  build_engine(session, job, engine.path);
  session.keep(folder);
  options.options = options_of_running(options.options);
  return engine;
}

// `name`: empty for a new one.
std::unique_ptr<Runner> make_back_end_runner(Session& session, const Occurrence& occurrence,
                                             const ModelSource& source, const Metadata& shapes,
                                             const RunnerSettings& settings, std::string name,
                                             PluginHost& host) {
  const ParsedArgs& args = session.args();
  const pgb_backend_options& backend = *occurrence.entry->runner;
  const std::string library = library_of(args, session.env(), occurrence);
  std::string prefix = backend.runner_prefix;
  const bool several =
      backend.library_option && args.count(split(backend.library_option, ' ').front()) > 1;
  if (const auto version = several ? version_in(library) : ""; !version.empty())
    prefix += "-" + version;
  if (name.empty()) name = next_runner_name(host, prefix);
  SessionOptions options{.options = resolve_backend_options(args, session.env(), backend),
                         .profile = settings.profile,
                         .inputs = shapes,
                         .calibration = settings.calibration};
  if (settings.add_options) settings.add_options(backend, options.options);
  const ModelSource made = with_scripts(session, backend, source, options, settings.isolation);
  std::optional<Isolation> isolation = settings.isolation;
  if (!isolation && wants_own_process(backend))
    isolation.emplace().program = session.env().executable;
  return isolation ? make_worker_runner(std::move(name), host, backend, made, std::move(options),
                                        library, *isolation, session.log())
                   : make_named_runner(std::move(name), host, backend, made, std::move(options),
                                       library, session.log());
}

std::unique_ptr<Runner> make_own_program_runner(Session& session, const Occurrence& occurrence,
                                                const ModelSource& source,
                                                const RunnerSettings& settings, std::string name,
                                                PluginHost& host) {
  const std::string& typed = occurrence.values.front();
  ProgramOptions options{.program = session.env().path(typed),
                         .python = find_python(session.env()).program,
                         .model = source,
                         .timeout = {},
                         .name = std::move(name)};
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(options.program, ignored)) {
    throw Error(std::string(kModelRunner) + ": there is no file '" + typed + "'",
                "Check the spelling of the path.");
  }
  if (settings.isolation) options.timeout = settings.isolation->timeout;
  return make_program_runner(host, std::move(options), session.log());
}

// The runner flag of the back end, as if it had been given.
Occurrence flag_of(const Syntax& syntax, const std::string& backend) {
  for (const Syntax::Entry& entry : syntax.entries()) {
    if (entry.runner && entry.runner->name == backend)
      return {&entry, std::string(entry.key()), {}};
  }
  throw Error("unknown back end '" + backend + "'", "`polygraphy backends` lists the back ends.");
}

}  // namespace

std::optional<Isolation> choose_isolation(Session& session) {
  auto isolation = resolve_isolation(session.args(), session.env());
  if (isolation) return isolation;
  std::vector<std::pair<std::string, std::string>> libraries;
  for (const Occurrence& occurrence : session.args().occurrences()) {
    if (!occurrence.entry->runner) continue;
    libraries.emplace_back(occurrence.entry->runner->name,
                           library_of(session.args(), session.env(), occurrence));
  }
  const std::string_view reason = library_clash(libraries);
  if (reason.empty()) return std::nullopt;
  session.log().info(log_modules::kRun, "Running each runner in a separate process (--isolate): " +
                                            std::string(reason));
  return Isolation{.program = session.env().executable};
}

Runners make_runners(Session& session, const ModelArgs& model, const ModelSource& source,
                     PluginHost& host, const RunnerSettings& settings) {
  const ParsedArgs& args = session.args();
  Runners runners;
  const auto add = [&](const Occurrence& occurrence) {
    const bool program = occurrence.entry->key() == kModelRunner;
    if (model.path.empty()) {
      throw Error(
          "One or more runners was specified, but no model file was provided. Make sure you've "
          "specified the model path, and also that it's not being consumed as an argument for "
          "another parameter");
    }
    if (!program) {
      require_format(args, *occurrence.entry->runner, model);
    } else if (model.onnx.empty()) {
      require_onnx(model);
    }
    std::string name = settings.names.empty() ? "" : settings.names[runners.size()];
    const ModelSource given = source_for(occurrence.entry->runner, model, source);
    runners.push_back(program ? make_own_program_runner(session, occurrence, given, settings,
                                                        std::move(name), host)
                              : make_back_end_runner(session, occurrence, given, model.shapes,
                                                     settings, std::move(name), host));
  };
  size_t place = 0;
  for (const Occurrence& occurrence : args.occurrences()) {
    if (!occurrence.selects_runner()) continue;
    if (!settings.only || *settings.only == place) add(occurrence);
    ++place;
  }
  if (runners.empty() && !settings.fallback.empty()) add(flag_of(args.syntax(), settings.fallback));
  return runners;
}

}  // namespace polygraphy::cli
