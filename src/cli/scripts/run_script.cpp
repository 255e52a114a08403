#include "cli/scripts/run_script.h"

#include "base/error.h"
#include "cli/jobs/option_warnings.h"
#include "cli/metric_options/metric_args.h"
#include "cli/scripts/tf_script.h"
#include "cli/scripts/trt_script.h"
#include "cli/syntax/script_args.h"
#include "cli/syntax/value_parsing.h"
#include "polygraphy/data/tensors/tensor_format.h"
#include "polygraphy/model_tools/codegen/comparison_script.h"
#include "polygraphy/model_tools/codegen/script_runners.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"

namespace polygraphy::cli {
namespace {

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

RunScript::Logging logging_of(const ParsedArgs& args, const Logger& log) {
  RunScript::Logging logging;
  logging.silent = args.has("--silent");
  const auto given = parse_key_values(args.list("--verbosity"));
  if (args.has("--verbose") || args.has("--quiet") || given.contains(""))
    logging.severities.emplace_back("", log.severity(""));
  for (const auto& [path, name] : given) {
    Severity severity = Severity::kInfo;
    if (!path.empty() && parse_severity(name, severity))
      logging.severities.emplace_back(path, severity);
  }
  for (const std::string& format : args.list("--log-format")) {
    if (format == "no-colors") logging.colors = false;
    if (format == "timestamp") logging.timestamps = true;
    if (format == "line-info") logging.line_info = true;
  }
  logging.file = args.text("--log-file");
  return logging;
}

// A number as Python prints what was typed: "1" stays an int there.
GivenNumber given_number(const Value& value) {
  return {value.number(), std::holds_alternative<int64_t>(value.data) ? value.repr() : ""};
}

// Throws Error unless the original runs such a model with such a runner. TensorRT has its own
// formats.
void require_model_for(RunScript::Runner::Kind kind, const ModelSource& model,
                       const RunScript& script) {
  using Kind = RunScript::Runner::Kind;
  if (kind == Kind::kTensorRt && (model.format == "engine" || model.format == "trt-network-script"))
    return;
  if (kind != Kind::kTensorFlow) return require_onnx_in_script(model);
  if (model.path.empty() || script.model.tensorflow) return;
  throw Error("Model type: " + model.format + " cannot be imported with TensorFlow.",
              "Model: " + model.path +
                  "\nGive --model-type frozen, keras or ckpt if it is one of TensorFlow's.");
}

void add_runners(Session& session, const ModelSource& model, RunScript& script) {
  const ParsedArgs& args = session.args();
  for (const auto& occurrence : args.occurrences()) {
    const auto& entry = *occurrence.entry;
    if (!entry.selects_runner()) continue;
    if (entry.runner && !occurrence.values.empty())
      refuse(occurrence.spelling + " " + occurrence.values.front(), "all runners have one model.");
    RunScript::Runner runner;
    if (occurrence.spelling == "--pluginref") {
      runner.kind = RunScript::Runner::Kind::kPluginReference;
    } else if (occurrence.spelling == "--onnxrt") {
      runner.providers = args.list("--providers");
      runner.graph_optimization_level = args.text("--graph-optimization-level").value_or("");
    } else if (occurrence.spelling == "--trt") {
      runner.kind = RunScript::Runner::Kind::kTensorRt;
    } else if (occurrence.spelling == "--tf") {
      runner.kind = RunScript::Runner::Kind::kTensorFlow;
    } else {
      refuse(occurrence.spelling, "it has no such runner.");
    }
    require_model_for(runner.kind, model, script);
    script.runners.push_back(std::move(runner));
  }
}

RunScript describe(Session& session, const RunPlan& plan) {
  const ParsedArgs& args = session.args();
  RunScript script;
  script.model.source = plan.model;
  script.model.tensorflow = resolve_tf_script(args, plan.model);
  if (script.model.tensorflow && args.has("--tftrt")) refuse("--tftrt", "it fails there.");
  add_runners(session, plan.model, script);
  script.model.external_data_dir = args.text("--external-data-dir").value_or("");
  script.model.allow_onnxruntime = !args.has("--no-onnxruntime-shape-inference");
  script.model.save_path = plan.saving.typed;
  if (args.has("--save-external-data")) {
    script.model.external_data = args.text("--save-external-data").value_or("");
  }
  if (const auto threshold = args.text("--external-data-size-threshold")) {
    script.model.size_threshold = parse_bytes(*threshold);
  }
  script.model.one_file = !args.has("--no-save-all-tensors-to-one-file");
  script.trt = resolve_trt_script(args, plan.shapes, session.log());
  if (plan.model.format == "engine") script.trt.engine.path = plan.model.path;
  if (plan.model.format == "trt-network-script")
    script.trt.network.script = parse_script_symbol(plan.model.path, kNetworkFunction);
  script.logging = logging_of(args, session.log());
  script.inputs = resolve_script_inputs(args, plan.shapes);

  const CompareOptions& options = plan.options;
  script.use_subprocess = args.has("--use-subprocess");
  script.save_inputs = args.text("--save-inputs").value_or("");
  script.save_outputs = args.text("--save-outputs").value_or("");
  if (args.has("--save-input-blob")) {
    script.save_input_blobs = args.text("--save-input-blob").value_or(".");
  }
  script.load_outputs = args.list("--load-outputs");
  script.postprocess_script =
      typed_symbol(args, "--postprocess-func-script", "postprocess_outputs");
  if (!script.postprocess_script) {
    for (const auto& [output, text] : parse_key_values(args.list("--postprocess"))) {
      if (!has_postprocess_script(text))
        refuse("--postprocess " + text, "it has no such function.");
      script.postprocesses.emplace_back(output, text);
    }
  }
  script.compare_script = typed_symbol(args, "--compare-func-script", "compare_outputs");
  set_comparison(options, script);
  // Folders as they were typed.
  script.metric_options = metric_options(args, [](const std::string& path) { return path; });
  for (const Metric* metric : options.metrics) {
    if (metric->python_class.empty())
      refuse("--compare " + std::string(metric->name), "it has no such function.");
  }
  script.save_accuracy_results = args.text("--save-accuracy-results").value_or("");
  return script;
}

}  // namespace

RunScript::Inputs resolve_script_inputs(const ParsedArgs& args, const Metadata& shapes) {
  RunScript::Inputs inputs;
  const std::string function = args.text("--data-loader-func-name").value_or("load_data");
  inputs.script = typed_symbol(args, "--data-loader-script", function);
  inputs.files = args.list("--load-inputs");
  inputs.seed = args.integer("--seed");
  inputs.iterations = args.integer("--iterations");
  inputs.shapes = shapes;
  for (const auto& [input, text] : parse_key_values(args.list("--val-range"))) {
    const std::vector<Value> ends = parse_val_range(input, text);
    inputs.ranges.set(input, {given_number(ends.front()), given_number(ends.back())});
  }
  inputs.torch = args.text("--data-loader-backend-module") == "torch";
  return inputs;
}

int write_run_script(Session& session, const RunPlan& plan) {
  const ParsedArgs& args = session.args();
  refuse_options_of_ours(args);
  if (plan.from_pipe) {
    throw Error("A script cannot read the model from the pipe again",
                "Save the model to a file, and give its path.");
  }
  RunScript script = describe(session, plan);
  script.command_line = session.command_line();
  const std::string text = to_python(script, session.log());
  const std::string typed = *args.text("--gen");
  if (typed == "-") {
    session.env().out.write(text);
  } else {
    save_script(text, session.env().path(typed), typed, session.log());
  }
  return 0;
}

}  // namespace polygraphy::cli
