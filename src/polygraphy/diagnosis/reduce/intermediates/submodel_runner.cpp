#include "polygraphy/diagnosis/reduce/intermediates/submodel_runner.h"

#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::TensorRef;

WorkerRequest request_for(PluginPaths paths) {
  return {.runner = "part of the model",
          .backend = "onnxrt",
          .options = bundled_options(),
          .paths = bundled_only(std::move(paths))};
}

// The feeds of the inputs of the part. The runtime decides about an input without values: an
// optional may hold nothing.
ValueMap feeds_of(const Model& part, const ValueMap& feeds) {
  ValueMap result;
  for (const TensorRef& input : part.graph->inputs()) {
    if (const Value* value = feeds.find(input->name())) {
      result.set(std::string(input->name()), *value);
    }
  }
  return result;
}

}  // namespace

SubmodelRunner::SubmodelRunner(const Model& model, std::string program, PluginPaths paths,
                               Logger& log, CancelToken cancel)
    : model_(model), worker_(std::move(program), request_for(std::move(paths)), quiet_) {
  worker_.set_cancel(cancel);
  show_as_verbose(quiet_, log, log_modules::kOnnxrtLoader);
}

ValueMap SubmodelRunner::run(const Model& part, const ValueMap& feeds) {
  if (!folder_) folder_ = std::make_unique<CandidateFolder>(model_);
  const std::string path = folder_->path("part.onnx");
  folder_->write(part, path);
  worker_.begin_load(path);
  worker_.finish_load();
  ValueMap outputs = worker_.infer(feeds_of(part, feeds)).outputs;
  try {
    worker_.unload();
  } catch (const RunnerFailure&) {
    // It has crashed after its work was done, and is started again when it is needed.
  }
  return outputs;
}

}  // namespace polygraphy
