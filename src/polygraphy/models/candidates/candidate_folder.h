// Files of candidates, which share the weights of the original model.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/candidates/body_weights.h"
#include "polygraphy/models/loaders/model_folder.h"

namespace polygraphy {

// A temporary folder with links to the file that the model was loaded from and to its data files. A
// candidate's file holds its structure; its large initializers are ranges of those files, and
// ordinary initializers for a runtime. If the system allows no links (another file system, a file
// of another user), the files are copied, once. Removed on destruction.
class CandidateFolder {
 public:
  // Throws IoError.
  explicit CandidateFolder(const graphsurgeon::Model& model,
                           const std::string& parent = temporary_folder(),
                           DataPlacement placement = DataPlacement::kLinks);

  // The path of a candidate: "2.onnx".
  std::string path(const std::string& name) const { return folder_->folder() + "/" + name; }
  // `candidate`: a part of the model, or an edited copy; `path`: in the folder. O(its structure),
  // and the bytes of values that are newer than the loaded model. Throws Error, IoError.
  void write(const graphsurgeon::Model& candidate, const std::string& path);

 private:
  std::unique_ptr<ModelFolder> folder_;
  std::optional<BodyWeights> of_bodies_;
};

}  // namespace polygraphy
