#include "polygraphy/models/plugin_patterns/pattern_model.h"

#include <vector>

#include "base/error.h"
#include "base/os/paths.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/loaders/model_folder.h"

namespace polygraphy {

namespace {

// Of the external data.
std::string data_folder(const ModelSource& source) {
  if (!source.external_data_dir.empty()) return source.external_data_dir;
  if (!source.model) return folder_of(source.path);
  const std::vector<DataFile> files = external_data_files(*source.model);
  if (files.empty()) return {};
  for (const DataFile& file : files) {
    if (file.folder == files.front().folder) continue;
    throw Error("External data of the model lies in several folders: " + files.front().folder +
                    " and " + file.folder,
                "Save the model first.");
  }
  return files.front().folder;
}

}  // namespace

PatternModel::PatternModel(const ModelSource& source, Logger& log)
    : source_(source), folder_(data_folder(source)), model_(load_onnx(source, log)) {
  if (!source.model && model_->untouched()) file_ = source.path;
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
