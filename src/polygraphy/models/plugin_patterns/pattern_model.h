// A model that patterns look at: a model of the graph library, and a file for the user's Python.
#pragma once

#include <memory>
#include <string>

#include "base/log.h"
#include "base/os/scratch_folder.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/user_python/user_python.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy {

class PatternModel {
 public:
  // Loads it (load_onnx()). Throws Error.
  PatternModel(const ModelSource& source, Logger& log);

  graphsurgeon::Model& model() { return *model_; }
  const ModelSource& source() const { return source_; }

  // "model" and "folder" of a request: a file with the model as it is now, which is the user's own
  // where nothing was edited, and the folder of its external data. Weights in external data stay
  // where they are. Throws Error.
  void describe(JsonValue& request);
  // Where Python may write the edited model.
  std::string new_file();
  // Takes Python's file for the model. Throws Error.
  void take(const std::string& path);

  std::unique_ptr<graphsurgeon::Model> release() { return std::move(model_); }

 private:
  ModelSource source_;
  std::string folder_;  // of the external data
  std::unique_ptr<graphsurgeon::Model> model_;
  std::string file_;               // that holds the model as it is; empty: none
  uint64_t edits_when_saved_ = 0;  // Store::edits() then
  std::unique_ptr<ScratchFolder> scratch_;
  int files_ = 0;
};

}  // namespace polygraphy
