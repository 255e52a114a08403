#include "cli/run_script.h"

#include <sys/stat.h>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/args/comparison.h"
#include "cli/syntax/metric_args.h"
#include "cli/syntax/script_args.h"
#include "cli/syntax/value_parsing.h"
#include "cli/unsupported_options.h"
#include "polygraphy/codegen/comparison_script.h"
#include "polygraphy/codegen/run_script.h"
#include "polygraphy/tensors/tensor_format.h"

namespace polygraphy::cli {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

[[noreturn]] void refuse(const std::string& option, const std::string& why) {
  throw Error(option + " cannot be written as a script for the original: " + why,
              "Leave it out, or run without --gen-script.");
}

void refuse_options_of_ours(const ParsedArgs& args) {
  for (const auto& occurrence : args.occurrences()) {
    const Option& option = *occurrence.entry->option;
    if (option.origin == Origin::kOurs) refuse(occurrence.spelling, "it has no such option.");
    if (option.origin == Origin::kRemoved && option.spellings != "--data-loader-func-name") {
      refuse(occurrence.spelling, "use " + std::string(option.instead) + " instead.");
    }
  }
  for (const std::string_view key : {"--save-inputs", "--save-outputs"}) {
    if (args.has(key) && !args.text(key)) refuse(std::string(key), "it needs a path there.");
  }
  if (args.integer("--warm-up").value_or(0) > 0 && !args.has("--sequential-runners")) {
    refuse("--warm-up", "it needs --sequential-runners there.");
  }
  for (const std::string_view key :
       {"--save-inputs", "--save-outputs", "--load-inputs", "--load-outputs"}) {
    for (const std::string& path : args.list(key)) {
      const TensorFormat* format = format_of_extension(path);
      if (format != nullptr && format->read != nullptr) {
        refuse(std::string(key) + " " + path, "its files are JSON.");
      }
    }
  }
}

Entries entries_of(const ParsedArgs& args, std::string_view option) {
  Entries entries;
  for (const auto& [name, text] : parse_key_values(args.list(option))) {
    entries.emplace_back(name, text);
  }
  return entries;
}

std::string severity_text(Severity severity) {
  constexpr std::pair<Severity, std::string_view> kNames[] = {
      {Severity::kUltraVerbose, "ULTRA_VERBOSE"},
      {Severity::kSuperVerbose, "SUPER_VERBOSE"},
      {Severity::kExtraVerbose, "EXTRA_VERBOSE"},
      {Severity::kVerbose, "VERBOSE"},
      {Severity::kInfo, "INFO"},
      {Severity::kStart, "START"},
      {Severity::kFinish, "FINISH"},
      {Severity::kWarning, "WARNING"},
      {Severity::kError, "ERROR"},
      {Severity::kCritical, "CRITICAL"}};
  for (const auto& [value, name] : kNames) {
    if (value == severity) return "G_LOGGER." + std::string(name);
  }
  return "G_LOGGER.INFO";
}

std::vector<std::string> logger_lines(const ParsedArgs& args, const Logger& log) {
  std::vector<std::string> lines;
  Entries severities;
  const bool counted = args.has("--verbose") || args.has("--quiet");
  const Severity general = log.severity("");
  if (args.has("--silent")) {
    lines.push_back("module_severity = " + severity_text(Severity::kCritical));
  } else {
    const auto given = parse_key_values(args.list("--verbosity"));
    if (counted || given.contains("")) severities.emplace_back("", severity_text(general));
    for (const auto& [path, name] : given) {
      Severity severity = Severity::kInfo;
      if (!path.empty() && parse_severity(name, severity)) {
        severities.emplace_back(path, severity_text(severity));
      }
    }
    if (!severities.empty()) lines.push_back("module_severity = " + py_dict(severities));
  }
  for (const std::string& format : args.list("--log-format")) {
    if (format == "no-colors") lines.emplace_back("colors = False");
    if (format == "timestamp") lines.emplace_back("timestamp = True");
    if (format == "line-info") lines.emplace_back("line_info = True");
  }
  if (const auto file = args.text("--log-file")) {
    lines.push_back("log_file = " + py_str_repr(*file));
  }
  return lines;
}

std::string metadata_text(const Metadata& shapes) {
  std::string text = "TensorMetadata()";
  for (const auto& [name, info] : shapes) {
    const std::string shape = info.shape ? shape_list_text(*info.shape) : "None";
    text += ".add(" + py_str_repr(name) + ", None, " + shape + ")";
  }
  return text;
}

void add_data_loader(const ParsedArgs& args, const ModelArgs& model, RunScript& script) {
  const std::string function = args.text("--data-loader-func-name").value_or("load_data");
  script.data_loader_script = typed_symbol(args, "--data-loader-script", function);
  if (script.data_loader_script) return;
  if (const auto paths = args.list("--load-inputs"); !paths.empty()) {
    script.data_loader.emplace("StreamingDataLoader");
    script.data_loader->arg(py_names(paths)).arg("allow_dirs", "True");
    script.data_loader_imports = {"StreamingDataLoader"};
    return;
  }
  PythonCall call("DataLoader");
  call.arg_if("seed", args.text("--seed").value_or(""))
      .arg_if("iterations", args.text("--iterations").value_or(""));
  if (!model.shapes.empty()) {
    call.arg("input_metadata", metadata_text(model.shapes));
    script.input_metadata = true;
  }
  Entries ranges;
  for (const auto& [name, text] : parse_key_values(args.list("--val-range"))) {
    const Value value = cast_value(text);
    const auto& ends = std::get<std::vector<Value>>(value.data);
    const auto end = [](const Value& one) {
      const double* real = std::get_if<double>(&one.data);
      return real == nullptr ? one.repr() : py_number(*real);
    };
    ranges.emplace_back(name, "(" + end(ends.front()) + ", " + end(ends.back()) + ")");
  }
  if (!ranges.empty()) call.arg("val_range", py_dict(ranges));
  if (args.text("--data-loader-backend-module") == "torch") {
    call.arg("data_loader_backend_module", "'torch'");
  }
  if (!call.has_arguments()) return;
  script.data_loader = std::move(call);
  script.data_loader_imports = {"DataLoader"};
}

void add_runners(const ParsedArgs& args, RunScript& script) {
  for (const auto& occurrence : args.occurrences()) {
    const auto& entry = *occurrence.entry;
    if (!entry.runner && !entry.option->selects_runner) continue;
    RunScript::Runner runner;
    if (occurrence.spelling == "--pluginref") {
      runner.plugin_reference = true;
    } else if (occurrence.spelling == "--onnxrt") {
      runner.providers = args.list("--providers");
      runner.graph_optimization_level = args.text("--graph-optimization-level").value_or("");
    } else if (entry.runner) {
      refuse(occurrence.spelling, "it has no such runner.");
    } else {
      throw engine_not_available(args,
                                 args.syntax().sections()[entry.section].group->absent_engine);
    }
    script.runners.push_back(std::move(runner));
  }
}

RunScript describe(const ParsedArgs& args, const ScriptInputs& inputs, Logger& log) {
  RunScript script;
  add_runners(args, script);
  script.model.source = inputs.source;
  script.model.external_data_dir = args.text("--external-data-dir").value_or("");
  script.model.allow_onnxruntime = !args.has("--no-onnxruntime-shape-inference");
  script.model.save_path = inputs.saving.typed;
  if (args.has("--save-external-data")) {
    script.model.external_data = args.text("--save-external-data").value_or("");
  }
  if (const auto threshold = args.text("--external-data-size-threshold")) {
    script.model.size_threshold = parse_bytes(*threshold);
  }
  script.model.one_file = !args.has("--no-save-all-tensors-to-one-file");
  script.logger_lines = logger_lines(args, log);
  add_data_loader(args, inputs.model, script);

  const CompareOptions& options = inputs.options;
  script.sequential = options.sequential;
  script.use_subprocess = args.has("--use-subprocess");
  script.warm_up = options.warm_up;
  script.save_inputs = args.text("--save-inputs").value_or("");
  script.save_outputs = args.text("--save-outputs").value_or("");
  if (args.has("--save-input-blob")) {
    script.save_input_blobs = args.text("--save-input-blob").value_or(".");
  }
  script.load_outputs = args.list("--load-outputs");
  script.postprocess_script =
      typed_symbol(args, "--postprocess-func-script", "postprocess_outputs");
  if (!script.postprocess_script) {
    script.postprocess_text = postprocess_script(entries_of(args, "--postprocess"));
  }
  script.validate = options.validate;
  script.compare_script = typed_symbol(args, "--compare-func-script", "compare_outputs");
  // Folders as they were typed.
  const MetricOptions typed = metric_options(args, [](const std::string& path) { return path; });
  for (const Metric* metric : options.metrics) {
    if (metric->python_class.empty()) {
      refuse("--compare " + std::string(metric->name), "it has no such function.");
    }
    script.comparisons.push_back(comparison_script(*metric, typed));
  }
  script.fail_fast = options.fail_fast;
  script.check_average = options.check_average;
  script.save_accuracy_results = args.text("--save-accuracy-results").value_or("");
  return script;
}

void make_executable(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  // Whoever may read it may run it.
  ::chmod(path.c_str(), status.st_mode | ((status.st_mode & 0444) >> 2));
}

}  // namespace

int write_run_script(Session& session, const ScriptInputs& inputs) {
  const ParsedArgs& args = session.args();
  refuse_options_of_ours(args);
  RunScript script = describe(args, inputs, session.log());
  if (script.runners.empty()) {
    session.log().warning("tools/run/run.py",
                          "No runners have been selected. Inference will not be run!");
  } else if (inputs.model.path.empty()) {
    throw Error("One or more runners was specified, but no model file was provided.",
                "Give the model's path.");
  }
  script.version = kCompatibleVersion;
  script.command_line = session.command_line();
  const std::string typed = *args.text("--gen"), text = to_python(script);
  if (typed == "-") {
    session.env().out.write(text);
    return 0;
  }
  session.log().info("util/util.py", "Writing script to: " + typed);
  const std::string path = session.env().path(typed);
  write_file(path, text);
  make_executable(path);
  return 0;
}

}  // namespace polygraphy::cli
