// Files of candidates, which share the weights of the original model.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "graphsurgeon/io/placed_payloads.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/loaders/model_folder.h"

namespace polygraphy {

// Weights inside bodies and functions. Runtimes refuse files of several names for them (ONNX
// Runtime: "multiple hard links, indicating a potential hardlink attack"). Small ones go into the
// model, each large one into a separate file, once.
class BodyWeights {
 public:
  // `folder`: the folder of the models.
  explicit BodyWeights(std::string folder) : folder_(std::move(folder)) {}

  // Places the weights of all graphs but the main one. Valid until the next call. O(structure), and
  // the bytes of new large weights. Throws Error, IoError.
  const graphsurgeon::PlacedPayloads& place(const graphsurgeon::Model& model);

 private:
  void place(const graphsurgeon::PayloadPtr& values, std::string_view name);

  std::string folder_;
  graphsurgeon::PlacedPayloads placed_;
  struct File {
    graphsurgeon::PayloadPtr values;  // kept, so that no other payload gets its address
    std::string location;
  };
  std::unordered_map<const graphsurgeon::Payload*, File> files_;
};

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
