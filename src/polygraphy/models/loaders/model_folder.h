// A model in a separate folder, for runtimes that find external data beside the file only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/os/scratch_folder.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Folder and relative location of a data file.
struct DataFile {
  std::string folder, location;
  std::string as = {};  // its location in a ModelFolder; empty: the same
  // Bodies of nodes or functions have weights in it. Runtimes refuse files of several names for
  // these (ONNX Runtime: "multiple hard links, indicating a potential hardlink attack").
  bool of_bodies = false;
};

// The external data files of a model, each once, in order of first use.
std::vector<DataFile> external_data_files(const graphsurgeon::Model& model);

// How data files get into a folder. Some readers of models (onnx from 1.20 on) refuse hard links.
enum class DataPlacement { kLinks, kCopies };

// A temporary folder with model.onnx and, under their relative locations, the data files: hard
// links, since runtimes refuse symbolic ones that leave the model's folder. Where the data lies on
// another file system than `parent`, the folder is made beside the data; where that is not allowed
// either, the data is copied. Data of bodies is copied always: a link would make runtimes refuse
// the user's model, too, for as long as it is there. Removed on destruction.
class ModelFolder {
 public:
  // Throws IoError.
  ModelFolder(std::string_view model_bytes, const std::vector<DataFile>& data,
              const std::string& parent = temporary_folder(),
              DataPlacement placement = DataPlacement::kLinks);
  // A model in memory, however large, with the data that it refers to: model.onnx and
  // model.onnx.data. Throws as save_model(), and IoError.
  explicit ModelFolder(const graphsurgeon::Model& model,
                       const std::string& parent = temporary_folder());

  const std::string& folder() const { return folder_->path(); }
  std::string model_path() const { return folder() + "/model.onnx"; }

 private:
  bool make(const std::string& parent);
  bool place(const std::vector<DataFile>& data, DataPlacement how);

  std::optional<ScratchFolder> folder_;  // the data files in it have other names and stay
  std::string problem_;                  // of the last step that failed
};

}  // namespace polygraphy
