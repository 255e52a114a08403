#include "polygraphy/runtimes/compiled/python_scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/os/scratch_folder.h"
#include "polygraphy/data/user_python/user_python.h"
#include "polygraphy/models/loaders/prepare_model.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/runner.h"
#include "polygraphy/runtimes/compiled/network_json.h"

namespace polygraphy {
namespace {

// Keys of options, the functions that are meant where none is named, and the options that name
// others.
struct ScriptOption {
  std::string_view key, function, function_key = {};
  bool several = false;
};
constexpr ScriptOption kNetworkEdits = {"trt_network_postprocess_script", "postprocess", {}, true};
constexpr std::array<ScriptOption, 3> kScripts = {{
    {"trt_config_script", "load_config", "trt_config_func_name"},
    {"trt_config_postprocess_script", "postprocess_config"},
    kNetworkEdits,
}};
constexpr std::string_view kBackend = "tensorrt";
constexpr ScriptOption kModelScript = {"model", kNetworkFunction, "trt_network_func_name"};

const std::vector<std::string>* values_of(const EngineJob& job, std::string_view key) {
  const std::vector<std::string>* found = nullptr;
  for (const auto& [name, values] : job.runner.session.options) {
    if (name == key) found = &values;
  }
  return found;
}

// [path, name].
JsonValue symbol(const EngineJob& job, const ScriptOption& option, const std::string& typed) {
  std::string fallback(option.function);
  if (const auto* named = values_of(job, option.function_key); named && !named->empty())
    fallback = named->front();
  ScriptSymbol parsed = parse_script_symbol(typed, fallback);
  require_script(parsed);
  return JsonValue::List{std::move(parsed.path), std::move(parsed.name)};
}

JsonValue scripts_of(const EngineJob& job) {
  JsonValue scripts = JsonValue::Object();
  for (const ScriptOption& option : kScripts) {
    const std::vector<std::string>* values = values_of(job, option.key);
    if (!values) continue;
    JsonValue::List symbols;
    for (const std::string& typed : *values) symbols.push_back(symbol(job, option, typed));
    scripts.set(option.key, option.several ? JsonValue(std::move(symbols)) : symbols.front());
  }
  if (job.model.format == kNetworkScriptFormat)
    scripts.set(kModelScript.key, symbol(job, kModelScript, job.model.path));
  return scripts;
}

// Lists of values, one for each time that an option was given.
JsonValue options_json(const EngineJob& job) {
  JsonValue::Object options;
  for (const auto& [key, values] : job.runner.session.options) {
    JsonValue::List list;
    for (const std::string& value : values) list.emplace_back(value);
    const JsonValue* before = options.find(key);
    JsonValue::List occurrences = before ? before->list() : JsonValue::List();
    occurrences.emplace_back(std::move(list));
    options.set(key, std::move(occurrences));
  }
  return options;
}

// The effects of options.
JsonValue option_table() {
  const auto text = [](const char* value) {
    return value ? JsonValue(std::string(value)) : JsonValue();
  };
  JsonValue::List table;
  for (const pgb_option_spec& spec : options_of(kBackend)) {
    JsonValue row = JsonValue::Object();
    row.set("key", text(spec.key));
    row.set("nargs", text(spec.nargs));
    row.set("loader", text(spec.loader));
    row.set("enumeration", text(spec.enumeration));
    row.set("enumerator", text(spec.enumerator));
    row.set("is_number", spec.type == PGB_INTEGER);
    table.push_back(std::move(row));
  }
  return table;
}

JsonValue shapes_of(const Metadata& inputs) {
  JsonValue::List shapes;
  for (const auto& [name, info] : inputs) {
    if (!info.shape) continue;
    JsonValue::List dims;
    for (const Dim& dim : *info.shape)
      dims.emplace_back(dim.is_static() ? dim.value() : int64_t{-1});
    shapes.emplace_back(JsonValue::List{name, std::move(dims)});
  }
  return shapes;
}

// The model as a file.
class ModelFile {
 public:
  ModelFile(const ModelSource& source, Logger& log) {
    if (source.format == kNetworkScriptFormat) return;
    prepared_.emplace(prepare_model(source,
                                    {.capabilities = [] { return uint32_t{0}; },
                                     .max_ir_version = [] { return int64_t{0}; },
                                     .max_opset = [] { return int64_t{0}; }},
                                    log));
    const ModelBlob blob = prepared_->blob();
    path_ = blob.path;
    if (blob.bytes.empty()) return;
    folder_.emplace(temporary_folder() + "/.polygraphy-model-");
    path_ = *folder_ / "model.onnx";
    write_file(path_, blob.bytes);
  }
  const std::string& path() const { return path_; }

 private:
  std::optional<PreparedModel> prepared_;
  std::optional<ScratchFolder> folder_;
  std::string path_;
};

// Runs the operation `op` of bridge.py with the model, the scripts and the options of the job.
// `doing`: "Building an engine".
void run_scripts(const EngineJob& job, std::string_view op, const std::string& doing,
                 const std::string& output, bool weights, Logger& log) {
  if (!job.tools.python) {
    throw Error("Scripts of TensorRT need Python, which is missing", "Set RunnerTools::python.");
  }
  UserPython& python = *job.tools.python;
  const ModelFile model(job.model, log);
  PythonMessage request;
  request.header.set("model", model.path());
  request.header.set("format", job.model.format);
  request.header.set("options", options_json(job));
  request.header.set("table", option_table());
  request.header.set("shapes", shapes_of(job.runner.session.inputs));
  request.header.set("scripts", scripts_of(job));
  request.header.set("output", output);
  request.header.set("weights", weights);
  const auto start = std::chrono::steady_clock::now();
  const auto too_late = [&] {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    return job.runner.timeout && taken.count() > *job.runner.timeout;
  };
  try {
    const UserPython::Watch watch(python, too_late);
    python.call(op, std::move(request), doing + " in Python");
  } catch (const Interrupted&) {
    if (job.tools.cancel.cancelled() || !too_late()) throw;
    throw RunnerFailure(
        fmt::format("{} in Python exceeded {} s, and was stopped", doing, *job.runner.timeout),
        "Give it more time, or check the script for waits.");
  } catch (const Error& error) {
    throw RunnerFailure(error.what(), error.hint());
  }
}

}  // namespace

bool needs_python(const EngineJob& job) {
  if (job.model.format == kEngineFormat) return false;
  return job.model.format == kNetworkScriptFormat ||
         std::any_of(kScripts.begin(), kScripts.end(), [&](const ScriptOption& option) {
           return values_of(job, option.key) != nullptr;
         });
}

bool network_needs_python(const EngineJob& job) {
  return job.model.format == kNetworkScriptFormat || values_of(job, kNetworkEdits.key);
}

BackendOptions options_of_running(const BackendOptions& options) {
  const auto builds_only = [](const std::string& key) {
    const auto specs = options_of(kBackend);
    return std::any_of(specs.begin(), specs.end(), [&](const pgb_option_spec& spec) {
      return spec.key == key && spec.stages == PGB_BUILDS;
    });
  };
  BackendOptions left;
  for (const auto& option : options) {
    if (!builds_only(option.first)) left.push_back(option);
  }
  return left;
}

void build_in_python(const EngineJob& job, const std::string& path, Logger& log) {
  log.info(log_modules::kUserScript,
           "TensorRT scripts need its Python module: building the engine in the Python that runs "
           "scripts.");
  run_scripts(job, "build_engine", "Building an engine", path, false, log);
}

NetworkDescription describe_in_python(const EngineJob& job, Logger& log, bool weights) {
  const ScratchFolder folder(temporary_folder() + "/.polygraphy-network.");
  const std::string path = folder / "network";
  run_scripts(job, "describe_network", "Making a network", path, weights, log);
  return read_network_file(path, weights, "the user's Python");
}

}  // namespace polygraphy
