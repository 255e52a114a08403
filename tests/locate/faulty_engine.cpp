#include "faulty_engine.h"

#include <utility>

#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/noise/noisy_model.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/instance.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;

BundledRuntime& runtime() {
  static Logger log;
  static BundledRuntime shared(built_paths(), log);
  return shared;
}

class FaultyEngine : public Runner {
 public:
  FaultyEngine(ModelSource source, std::vector<Fault> faults, std::optional<NumberFormat> format,
               size_t most_outputs)
      : Runner("faulty"),
        source_(std::move(source)),
        faults_(std::move(faults)),
        format_(format),
        most_outputs_(most_outputs) {}

 private:
  void activate_impl() override {
    Logger quiet;
    Model model = std::move(*load_onnx(source_, quiet));
    if (model.graph->outputs().size() > most_outputs_) throw RunnerFailure("too many outputs");
    for (const Fault& fault : faults_) plant(model, fault);
    inputs_ = metadata_of_variables(model.graph->inputs());
    if (format_) model = noisy_model(model, {.format = *format_, .stochastic = false});
    session_ = runtime().load(model);
  }
  void deactivate_impl() noexcept override { session_.reset(); }
  Metadata input_metadata_impl() override { return inputs_; }
  Inference infer_impl(const ValueMap& feeds) override {
    return {.outputs = run_model(*session_, feeds)};
  }

  ModelSource source_;
  std::vector<Fault> faults_;
  std::optional<NumberFormat> format_;
  size_t most_outputs_;
  Metadata inputs_;
  std::unique_ptr<BackendSession> session_;
};

}  // namespace

PluginPaths built_paths() {
  PluginPaths paths;
  paths.plugin_dirs = {PG_BINARY_DIR "/lib/polygraphy/backends"};
  paths.bundled = {PG_BINARY_DIR "/lib/polygraphy/engines"};
  return paths;
}

std::shared_ptr<Runner> faulty_engine(const ModelSource& source, std::vector<Fault> faults,
                                      std::optional<NumberFormat> format, size_t most_outputs) {
  return std::make_shared<FaultyEngine>(source, std::move(faults), format, most_outputs);
}

}  // namespace polygraphy
