#include "polygraphy/facade/model_loaders.h"

#include <memory>
#include <span>

#include "base/silent_log.h"
#include "graphsurgeon/ir/copy.h"
#include "polygraphy/models/loaders/fold_model.h"
#include "polygraphy/models/loaders/infer_model_shapes.h"
#include "polygraphy/models/loaders/mark_outputs.h"
#include "polygraphy/models/loaders/prepare_model.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;

// A loader that edits another one's model.
template <typename Edit>
std::function<Model()> edited(ModelLoader model, Edit edit) {
  return [model = std::move(model), edit = std::move(edit)] {
    Model result = model();
    edit(result);
    return result;
  };
}

}  // namespace

ModelLoader::ModelLoader(std::string path) : path_(std::move(path)) {
  load_ = [path = *path_] { return graphsurgeon::load_model(path); };
}

ModelLoader::ModelLoader(Model model)
    : load_([model = std::move(model)] { return graphsurgeon::copy(model); }) {}

OnnxFromPath::OnnxFromPath(std::string path, graphsurgeon::LoadOptions options)
    : ModelLoader(path) {
  if (options.external_data_dir.empty() && !options.ignore_external_data) return;
  path_.reset();  // a runtime would read it without these options
  load_ = [path = std::move(path), options = std::move(options)] {
    return graphsurgeon::load_model(path, options);
  };
}

OnnxFromBytes::OnnxFromBytes(std::string bytes)
    : ModelLoader([kept = std::make_shared<const std::string>(std::move(bytes))] {
        return graphsurgeon::load_model_from_bytes(std::as_bytes(std::span(*kept)), kept,
                                                   "the given bytes");
      }) {}

ModifyOutputs::ModifyOutputs(ModelLoader model, std::vector<std::string> outputs, Logger* log)
    : ModifyOutputs(std::move(model), OutputSelection{.names = std::move(outputs)}, log) {}

ModifyOutputs::ModifyOutputs(ModelLoader model, const OutputSelection& selection, Logger* log)
    : ModelLoader(edited(std::move(model), [selection, log](Model& result) {
        select_outputs(result, selection, log_or_silence(log));
      })) {}

InferShapes::InferShapes(ModelLoader model, Logger* log)
    : ModelLoader(edited(std::move(model), [log](Model& result) {
        infer_model_shapes(result, log_or_silence(log));
      })) {}

FoldConstants::FoldConstants(ModelLoader model, graphsurgeon::FoldOptions options, Logger* log)
    : FoldConstants(std::move(model), FoldModelOptions{.fold = std::move(options)}, log) {}

FoldConstants::FoldConstants(ModelLoader model, const FoldModelOptions& options, Logger* log)
    : ModelLoader(edited(std::move(model), [options, log](Model& result) {
        fold_model(result, options, log_or_silence(log));
      })) {}

ConvertToFp16::ConvertToFp16(ModelLoader model, Logger* log)
    : ModelLoader(edited(std::move(model),
                         [log](Model& result) { make_float16(result, log_or_silence(log)); })) {}

SaveOnnx::SaveOnnx(ModelLoader model, std::string path, graphsurgeon::SaveOptions options)
    : ModelLoader(edited(std::move(model), [path = std::move(path),
                                            options = std::move(options)](const Model& result) {
        graphsurgeon::save_model(result, path, options);
      })) {}

}  // namespace polygraphy
