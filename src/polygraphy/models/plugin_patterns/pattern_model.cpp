#include "polygraphy/models/plugin_patterns/pattern_model.h"

#include "base/os/paths.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy {

PatternModel::PatternModel(const ModelSource& source, Logger& log)
    : source_(source),
      folder_(source.external_data_dir.empty() ? folder_of(source.path) : source.external_data_dir),
      model_(load_onnx(source, log)) {
  if (model_->untouched()) file_ = source.path;
  edits_when_saved_ = model_->graph->store().edits();
}

void PatternModel::describe(JsonValue& request) {
  if (file_.empty() || model_->graph->store().edits() != edits_when_saved_) {
    graphsurgeon::SaveOptions options;
    options.share_external_data = true;
    options.keep_references = true;
    options.durability = Durability::kNone;
    file_ = new_file();
    graphsurgeon::save_model(*model_, file_, options);
    edits_when_saved_ = model_->graph->store().edits();
  }
  request.set("model", file_);
  request.set("folder", folder_);
}

std::string PatternModel::new_file() {
  if (!scratch_) {
    scratch_ = std::make_unique<ScratchFolder>(temporary_folder() + "/.polygraphy-plugin-");
  }
  return *scratch_ / ("model" + std::to_string(files_++) + ".onnx");
}

void PatternModel::take(const std::string& path) {
  graphsurgeon::LoadOptions options;
  options.external_data_dir = folder_;
  options.ignore_external_data = source_.ignore_external_data;
  model_ = std::make_unique<graphsurgeon::Model>(graphsurgeon::load_model(path, options));
  file_ = path;
  edits_when_saved_ = model_->graph->store().edits();
}

}  // namespace polygraphy
