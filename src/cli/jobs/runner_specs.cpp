#include "cli/jobs/runner_specs.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/near_names.h"
#include "base/text.h"
#include "cli/args/engines.h"
#include "cli/args/isolation.h"
#include "cli/args/model.h"
#include "cli/jobs/tf_model.h"
#include "cli/syntax/parser.h"
#include "polygraphy/models/tensorflow/convert_tensorflow.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kModelRunner = "--model-runner";

// --onnxrt-lib given more than once: each is for the runner in front of it.
std::string library_of(const ParsedArgs& args, const Environment& env,
                       const pgb_backend_options& backend, const Occurrence& runner) {
  const std::string key = library_option(backend);
  const Occurrence* turn = nullptr;
  std::string library;
  for (const Occurrence& occurrence : args.occurrences()) {
    if (occurrence.entry->runner == &backend) turn = &occurrence;
    if (occurrence.entry->key() != key) continue;
    if (!turn) {
      const std::string flag(split(backend.flags, ' ').front());
      throw Error(key + " " + occurrence.values.front() + " has no runner before it",
                  "If repeated, each applies to the runner before it: " + flag + " " + key + " A " +
                      flag + " " + key + " B");
    }
    if (turn == &runner) library = env.path(occurrence.values.front());
  }
  return library;
}

RunnerSpec back_end_spec(const ParsedArgs& args, const Environment& env,
                         const pgb_backend_options& backend, const Occurrence& runner) {
  RunnerSpec spec = resolve_backend_spec(args, env, backend);
  const std::string key = library_option(backend);
  if (args.syntax().find(key) && args.count(key) > 1)
    spec.library = library_of(args, env, backend, runner);
  return spec;
}

RunnerSpec program_spec(const Environment& env, const Occurrence& occurrence) {
  const std::string& typed = occurrence.values.front();
  RunnerSpec spec{.program = env.path(typed)};
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(spec.program, ignored)) {
    throw Error(std::string(kModelRunner) + ": there is no file '" + typed + "'",
                "Check the spelling of the path.");
  }
  return spec;
}

// Of `--torch model.pt2` beside the model of the command.
std::string own_model(const ParsedArgs& args, const Environment& env,
                      const Occurrence& occurrence) {
  const std::string& typed = occurrence.values.front();
  const std::string path = env.path(typed);
  const std::string file =
      path.substr(0, path.rfind(".py:") == path.npos ? path.npos : path.rfind(".py:") + 3);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    throw Error(occurrence.spelling + ": there is no model '" + typed + "'",
                "A path behind the flag of a runner is its own model, beside '" +
                    args.text("model_file").value_or("") + "'.");
  }
  if (args.has("--mem-limit")) {
    throw Error(
        "--mem-limit needs one model for all runners, but " + occurrence.spelling + " has its own",
        "Leave one of them out.");
  }
  return path;
}

// The table of a back end whose options the command has; null: of a program.
const pgb_backend_options* table_of(const ParsedArgs& args, const RunnerSpec& spec) {
  for (const Syntax::Entry& entry : args.syntax().entries()) {
    if (entry.runner && entry.runner->name == spec.backend) return entry.runner;
  }
  return nullptr;
}

void complete(RunnerSpec& spec, const ParsedArgs& args, const Metadata& shapes) {
  spec.isolated = wants_isolation(args);
  spec.timeout = resolve_timeout(args);
  spec.session.inputs = shapes;
}

// Throws Error unless the back end takes models of this type.
void require_format(const ParsedArgs& args, const pgb_backend_options& backend,
                    const ModelSource& model) {
  if (takes_format(backend, model.format)) return refuse_folder(model);
  if (is_of_tensorflow(model.format) && takes_format(backend, kOnnxFormat)) return;
  if (model.format == kNetworkScriptFormat && takes_format(backend, "engine")) return;
  const auto& sections = args.syntax().sections();
  const bool known = std::any_of(sections.begin(), sections.end(), [&](const auto& section) {
    return section.backend && takes_format(*section.backend, model.format);
  });
  if (!known) require_onnx(model);
  if (takes_format(backend, kFrozenFormat)) {
    throw Error("Model type: " + model.format + " cannot be imported with TensorFlow.",
                "Model: " + model.path + "\nGive --model-type TYPE (" + formats_text(backend) +
                    ") if it is one of those.");
  }
  refuse_type(model, backend);
}

}  // namespace

std::vector<RunnerSpec> resolve_runner_specs(const ParsedArgs& args, const Environment& env,
                                             const Metadata& shapes) {
  std::vector<RunnerSpec> specs;
  for (const Occurrence& occurrence : args.occurrences()) {
    if (!occurrence.selects_runner()) continue;
    const bool program = occurrence.entry->key() == kModelRunner;
    specs.push_back(program ? program_spec(env, occurrence)
                            : back_end_spec(args, env, *occurrence.entry->runner, occurrence));
    if (!program && !occurrence.values.empty())
      specs.back().model = own_model(args, env, occurrence);
    complete(specs.back(), args, shapes);
  }
  return specs;
}

RunnerSpec resolve_runner_spec(const ParsedArgs& args, const Environment& env,
                               const std::string& backend, const Metadata& shapes) {
  const pgb_backend_options* table = table_of(args, {.backend = backend});
  if (!table) {
    std::vector<std::string_view> known;
    for (const Syntax::Entry& entry : args.syntax().entries()) {
      if (entry.runner) known.emplace_back(entry.runner->name);
    }
    throw Error("unknown back end '" + backend + "'",
                unknown_name_hint(backend, known, "Back ends"));
  }
  RunnerSpec spec = resolve_backend_spec(args, env, *table);
  complete(spec, args, shapes);
  return spec;
}

void set_calibration(std::vector<RunnerSpec>& specs, const DataLoaderArgs& inputs,
                     const std::shared_ptr<UserPython>& python, Logger& log) {
  const CalibrationBatch calibration =
      make_calibration(inputs, python, CalibrationFeeds::Random::kExpected, log);
  for (RunnerSpec& spec : specs) spec.session.calibration = calibration;
}

void require_runnable(Session& session, const std::vector<RunnerSpec>& specs,
                      const ModelSource& model, bool onnx_too) {
  if (!specs.empty() && model.path.empty()) {
    throw Error(
        "One or more runners was specified, but no model file was provided. Make sure you've "
        "specified the model path, and also that it's not being consumed as an argument for "
        "another parameter");
  }
  for (const RunnerSpec& spec : specs) {
    if (!spec.model.empty()) continue;  // the factory checks it
    if (const pgb_backend_options* backend = table_of(session.args(), spec)) {
      require_format(session.args(), *backend, model);
    } else if (!is_of_tensorflow(model.format)) {
      require_onnx(model);
    }
  }
  if (onnx_too || needs_conversion(session.args(), specs, model))
    require_convertible(session, model);
}

bool needs_conversion(const ParsedArgs& args, const std::vector<RunnerSpec>& specs,
                      const ModelSource& model) {
  if (!is_of_tensorflow(model.format)) return false;
  return std::any_of(specs.begin(), specs.end(), [&](const RunnerSpec& spec) {
    if (!spec.model.empty()) return false;
    const pgb_backend_options* backend = table_of(args, spec);
    return !backend || !takes_format(*backend, model.format);
  });
}

}  // namespace polygraphy::cli
