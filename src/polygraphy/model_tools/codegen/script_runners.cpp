#include "polygraphy/model_tools/codegen/script_runners.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "polygraphy/comparison/compare/comparison_requirements.h"

namespace polygraphy {
namespace {

using RunnerKind = RunScript::Runner::Kind;

constexpr std::string_view kProviders = "providers", kLevel = "graph_optimization_level";

[[noreturn]] void refuse(const RunnerSpec& spec, const std::string& what) {
  throw Error(
      kNotInOriginal,
      "The runner '" + spec.text() + "' cannot be written as a script for the original: " + what,
      "Leave it out.");
}

RunnerKind kind_of(const RunnerSpec& spec) {
  if (spec.backend == "onnxrt") return RunnerKind::kOnnxRuntime;
  if (spec.backend == "pluginref") return RunnerKind::kPluginReference;
  if (spec.backend == "tensorrt") return RunnerKind::kTensorRt;
  if (spec.backend == "tensorflow") return RunnerKind::kTensorFlow;
  refuse(spec, "the original has no such runner.");
}

void require_original(const RunnerSpec& spec) {
  if (!spec.library.empty() || spec.bundled) refuse(spec, "there, Python finds the libraries.");
  if (spec.isolated || spec.timeout) refuse(spec, "runners have no separate processes there.");
}

RunScript::Runner runner_of(const RunnerSpec& spec) {
  require_original(spec);
  RunScript::Runner runner{.kind = kind_of(spec)};
  for (const auto& [key, values] : spec.session.options) {
    if (runner.kind == RunnerKind::kOnnxRuntime && key == kProviders) {
      runner.providers.insert(runner.providers.end(), values.begin(), values.end());
    } else if (runner.kind == RunnerKind::kOnnxRuntime && key == kLevel && values.size() == 1) {
      runner.graph_optimization_level = values.front();
    } else {
      refuse(spec, "its option " + key + " is not written.");
    }
  }
  return runner;
}

void add_profile(const Metadata& inputs, TrtScript& script) {
  if (inputs.empty() || !script.config.profiles.empty()) return;
  auto& profile = script.config.profiles.emplace_back();
  for (const auto& [name, info] : inputs) {
    const Shape shape = profile_shape(info.shape.value_or(DimList()));
    profile.set(name, {shape, shape, shape});
  }
}

}  // namespace

void add_runners(const std::vector<RunnerSpec>& specs, RunScript& script) {
  const ModelSource& model = script.model.source;
  if (const auto format = tensorflow_script_format(model.format))
    script.model.tensorflow = TfScript{.format = *format, .path = model.path};
  const bool is_onnx = model.format == kOnnxFormat || script.model.tensorflow;
  for (const RunnerSpec& spec : specs) {
    RunScript::Runner runner = runner_of(spec);
    const bool trt = runner.kind == RunnerKind::kTensorRt;
    if (!is_onnx && !(trt && model.format == "engine"))
      refuse(spec, "its model " + model.path + " is of type " + model.format + ".");
    if (trt) add_profile(spec.session.inputs, script.trt);
    script.runners.push_back(std::move(runner));
  }
  if (model.format == "engine") script.trt.engine.path = model.path;
}

void set_comparison(const CompareOptions& options, RunScript& script) {
  if (options.check_average && !script.compare_script) require_averages(options);
  script.sequential = options.sequential;
  script.warm_up = options.warm_up;
  script.metrics = options.metrics;
  script.metric_options = options.metric_options;
  script.fail_fast = options.fail_fast;
  script.check_average = options.check_average;
  script.validate = options.validate;
}

}  // namespace polygraphy
