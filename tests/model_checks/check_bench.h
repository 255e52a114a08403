// Common part of the tests of this folder: checks of models from text.
#pragma once

#include <string>

#include "../cli/in_process.h"
#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/recording_log.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/diagnosis/model_checks/model_check.h"

namespace polygraphy {

class CheckBench {
 public:
  // `samples`: values of the input x, float32 of four numbers each.
  explicit CheckBench(std::vector<std::vector<float>> samples = {{1, 2, 3, 4}})
      : samples_(std::move(samples)) {
    tools_.runners.program = PG_BINARY_DIR "/bin/polygraphy";
    tools_.runners.paths.plugin_dirs = {PG_PLUGINS};
    tools_.runners.paths.bundled = {PG_BINARY_DIR "/lib/polygraphy/engines"};
    tools_.inputs = [this](const Metadata& inputs, int64_t sample,
                           Logger&) -> std::optional<ValueMap> {
      if (sample >= std::ssize(samples_)) return std::nullopt;
      ValueMap feed;
      for (const auto& [name, info] : inputs) {
        feed.set(name, Array::of<float>({4}, samples_[static_cast<size_t>(sample)]));
      }
      return feed;
    };
  }

  CheckTools& tools() { return tools_; }
  const RecordingLog& log() const { return log_; }

  // `outputs`: for kinds that compare them.
  void start(std::string_view kind, std::vector<std::string> backends = {},
             OutputCheck outputs = {}) {
    ModelCheckOptions options{.outputs = std::move(outputs)};
    for (std::string& backend : backends)
      options.runners.push_back({.backend = std::move(backend)});
    check_ = make_model_check(*find_model_check(kind), std::move(options), tools_, log_.log());
  }

  // Of the body of a graph from x to y, four floats each: "y = Relu(x)". "passed", or the
  // signature of the failure.
  std::string run(const std::string& nodes, const std::string& weights = {}) {
    return run_model("g (float[4] x) => (float[4] y) " +
                     (weights.empty() ? "" : "<" + weights + "> ") + "{ " + nodes + " }");
  }
  std::string run_model(const std::string& text) {
    return run_loaded(
        graphsurgeon::parse_onnx_text("<ir_version: 8, opset_import: [\"\" : 17]> " + text));
  }
  std::string run_loaded(const graphsurgeon::Model& model) {
    const std::string path = folder_.path() + "/candidate.onnx";
    graphsurgeon::save_model(model, path);
    const CheckResult verdict = check_->run(path);
    output_ = verdict.output;
    return verdict.passed ? "passed" : verdict.signature;
  }
  // The one that failed last.
  const std::string& output() const { return output_; }

  bool run_file(const std::string& path) { return check_->run(path).passed; }

 private:
  const cli::TemporaryFolder folder_;
  std::vector<std::vector<float>> samples_;
  CheckTools tools_;
  RecordingLog log_;
  std::string output_;
  std::unique_ptr<Check> check_;
};

}  // namespace polygraphy
