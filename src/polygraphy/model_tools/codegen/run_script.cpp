#include "polygraphy/model_tools/codegen/run_script.h"

#include <span>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/os/files/file_access.h"
#include "base/os/protected_files.h"
#include "base/text.h"
#include "base/version.h"
#include "polygraphy/model_tools/codegen/comparison_script.h"
#include "polygraphy/model_tools/codegen/python_text.h"
#include "polygraphy/model_tools/codegen/script_inputs.h"

namespace polygraphy {
namespace {

constexpr std::string_view kComparator = "polygraphy.comparator";

using Kind = RunScript::Runner::Kind;

const char* runtime_of(Kind kind) {
  switch (kind) {
    case Kind::kPluginReference:
      return "Plugin CPU Reference";
    case Kind::kTensorRt:
      return "TensorRT";
    case Kind::kTensorFlow:
      return "TensorFlow";
    default:
      return "ONNX-Runtime";
  }
}

class Writer {
 public:
  explicit Writer(const RunScript& script) : script_(script) {}

  std::string text() {
    imports_.add("polygraphy.exception", "PolygraphyException");
    compare("Comparator");
    write_data_loader();
    write_loaders();
    write_comparison_functions();
    write_runners();
    write_execution();
    write_inputs_of_comparison();
    write_postprocessing();
    if (script_.validate && !script_.sequential) {
      section("Output Validation",
              "runs = Comparator.validate(runs, check_inf=True, check_nan=True)\n");
    }
    write_accuracy();
    section("Report Results", "if not success:\n    raise PolygraphyException('FAILED')\n");
    return script_header(kCompatibleVersion, script_.command_line) + summary() + logger() +
           imports_.text() + body_;
  }

 private:
  void compare(const std::string& name) { imports_.add(std::string(kComparator), name); }

  void section(const std::string& title, const std::string& lines) {
    body_ += "\n# " + title + "\n" + lines;
  }

  // "A", "A and B", "A, B, and C".
  static std::string enumerated(const std::vector<std::string>& names) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) {
      if (i > 0) text += names.size() > 2 ? ", " : " ";
      if (i > 0 && i + 1 == names.size()) text += "and ";
      text += names[i];
    }
    return text;
  }

  std::string summary() const {
    std::vector<std::string> runtimes;
    runtimes.reserve(script_.runners.size());
    for (const auto& runner : script_.runners) {
      runtimes.emplace_back(runtime_of(runner.kind));
    }
    const std::string& model = script_.model.source.path;
    std::string text;
    if (runtimes.size() == 1) {
      text += py_comment("This script runs " + model + " using " + runtimes.front() + ".");
    } else if (!runtimes.empty()) {
      text +=
          py_comment("This script compares " + model + " between " + enumerated(runtimes) + ".");
    }
    if (!script_.load_outputs.empty()) {
      text +=
          py_comment("It will check against outputs stored in " + enumerated(script_.load_outputs));
    }
    return text;
  }

  std::string logger() const {
    std::string text = "\nfrom polygraphy.logger import G_LOGGER\n";
    for (const std::string& line : logger_lines(script_.logging)) text += "G_LOGGER." + line + "\n";
    return text + "\n";
  }

  std::string from_script(const ScriptSymbol& symbol) {
    imports_.add("polygraphy.backend.common", "InvokeFromScript");
    return PythonCall("InvokeFromScript")
        .arg(py_str_repr(symbol.path))
        .arg("name", py_str_repr(symbol.name))
        .text();
  }

  void write_data_loader() {
    const auto [call, use] = data_loader_script(script_.inputs, imports_);
    if (!call.empty()) section("Data Loader", "data_loader = " + call + "\n");
    data_loader_ = use;
  }

  // Runners that take the same share its loader.
  void write_loaders() {
    for (const auto& runner : script_.runners) runner_calls_.push_back(runner_call(runner));
    if (!script_.runners.empty()) section("Loaders", lines_.text());
  }

  std::string runner_call(const RunScript::Runner& runner) {
    switch (runner.kind) {
      case Kind::kTensorRt: {
        TrtLoaders loaders(script_.trt, imports_, lines_, data_loader_);
        return loaders.runner(loaders.engine(script_.model));
      }
      case Kind::kPluginReference: {
        OnnxLoaders model(script_.model, imports_, lines_);
        model.load();
        model.add("pluginref", "GsFromOnnx");
        imports_.add("polygraphy.backend.pluginref", "PluginRefRunner");
        return "PluginRefRunner(" + model.last() + ")";
      }
      case Kind::kTensorFlow:
        if (!script_.model.tensorflow) {
          throw Error("TensorFlow cannot run " + script_.model.source.path +
                      ": it is not a TensorFlow model.");
        }
        return TfLoaders(*script_.model.tensorflow, imports_, lines_).runner();
      case Kind::kOnnxRuntime:
        break;
    }
    OnnxLoaders model(script_.model, imports_, lines_);
    if (model.any()) model.add("serialize_onnx", "BytesFromOnnx");
    imports_.add("polygraphy.backend.onnxrt", "OnnxrtRunner");
    return "OnnxrtRunner(" +
           lines_.add("build_onnxrt_session", session_call(runner, model.last())) + ")";
  }

  std::string session_call(const RunScript::Runner& runner, const std::string& model) {
    imports_.add("polygraphy.backend.onnxrt", "SessionFromOnnx");
    PythonCall call("SessionFromOnnx");
    call.arg(model);
    if (!runner.providers.empty()) call.arg("providers", py_names(runner.providers));
    if (!runner.graph_optimization_level.empty()) {
      imports_.add_lazy("onnxrt", "onnxruntime");
      call.arg("graph_optimization_level",
               "onnxrt.GraphOptimizationLevel." + runner.graph_optimization_level);
    }
    return call.text();
  }

  void write_comparison_functions() {
    std::string lines;
    for (const Metric* metric : script_.metrics) {
      if (script_.compare_script) break;
      const ComparisonScript comparison = comparison_script(*metric, script_.metric_options);
      if (comparison.name.empty()) {
        functions_.emplace_back("None");
        continue;
      }
      compare(comparison.name);
      lines += comparison.variable + " = " + comparison.call.text() + "\n";
      functions_.push_back(comparison.variable);
    }
    if (script_.compare_script) functions_ = {from_script(*script_.compare_script)};
    if (!lines.empty()) section("Comparison Functions", lines);
  }

  void write_runners() {
    std::string lines;
    for (const std::string& call : runner_calls_) lines += "    " + call + ",\n";
    section("Runners", lines.empty() ? "runners = []\n" : "runners = [\n" + lines + "]\n");
  }

  void write_execution() {
    if (script_.runners.empty()) return;
    const auto path = [](const std::string& text) {
      return text.empty() ? std::string() : py_str_repr(text);
    };
    PythonCall call("Comparator.run");
    call.arg("runners");
    if (script_.warm_up > 0) call.arg("warm_up", std::to_string(script_.warm_up));
    call.flag_if("use_subprocess", script_.use_subprocess)
        .arg_if("data_loader", data_loader_)
        .arg_if("save_inputs_path", path(script_.save_inputs))
        .arg_if("save_outputs_path", path(script_.save_outputs))
        .arg_if("save_input_blob_path", path(script_.save_input_blobs))
        .flag_if("streaming", !script_.sequential);
    section("Runner Execution", results() + " = " + call.text() + "\n");
  }

  std::string results() const { return script_.sequential ? "results" : "run_stream"; }

  void write_inputs_of_comparison() {
    std::vector<std::string> runs;
    if (!script_.runners.empty()) runs.push_back(results());
    for (const std::string& path : script_.load_outputs) {
      compare("RunResults");
      PythonCall call(script_.sequential ? "RunResults.load" : "RunResults.load_streaming");
      call.arg(py_str_repr(path)).flag_if("allow_dirs", !script_.sequential);
      runs.push_back(call.text());
    }
    section("Comparison Inputs", "runs = " + py_list(runs) + "\n");
  }

  void write_postprocessing() {
    std::string function;
    if (script_.postprocess_script) {
      function = from_script(*script_.postprocess_script);
    } else if (const std::string outputs = postprocess_script(script_.postprocesses);
               !outputs.empty()) {
      compare("TopKPostprocessFunc");
      function = "TopKPostprocessFunc(" + outputs + ")";
    }
    if (function.empty()) return;
    section("Postprocessing", "runs = Comparator.postprocess(runs, " + function + ")\n");
  }

  void write_accuracy() {
    const std::string call = PythonCall("Comparator.compare_accuracy")
                                 .arg("runs")
                                 .arg("compare_func", py_list(functions_))
                                 .flag_if("fail_fast", script_.fail_fast)
                                 .flag_if("check_average", script_.check_average)
                                 .text();
    std::string lines;
    if (script_.save_accuracy_results.empty()) {
      lines = "success = bool(" + call + ")\n";
    } else {
      lines = "accuracy_results = " + call + "\naccuracy_results.save(" +
              py_str_repr(script_.save_accuracy_results) + ")\nsuccess = bool(accuracy_results)\n";
    }
    if (script_.validate && script_.sequential) {
      lines += "success &= all(Comparator.validate(runs, check_inf=True, check_nan=True))\n";
    }
    section("Accuracy Comparison", lines);
  }

  const RunScript& script_;
  PythonImports imports_;
  LoaderLines lines_;
  std::string body_, data_loader_;
  std::vector<std::string> runner_calls_, functions_;
};

}  // namespace

std::string to_python(const RunScript& script, Logger& log) {
  if (script.runners.empty()) {
    log.warning(log_modules::kRun, "No runners have been selected. Inference will not be run!");
  } else if (script.model.source.path.empty()) {
    throw Error(kScriptWithoutModel,
                "One or more runners was specified, but no model file was provided.",
                "Give the model's path.");
  }
  return Writer(script).text();
}

void save_script(const std::string& text, const std::string& path, const std::string& typed,
                 Logger& log) {
  log.info(log_modules::kUtil, "Writing script to: " + typed);
  write_file(path, text);
  if (identity_of(path)) make_executable(path);  // not a terminal or a pipe
}

}  // namespace polygraphy
