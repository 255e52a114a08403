// A model in a folder of its own, for engines that look up external data beside the file only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Folder and relative location of a data file.
struct DataFile {
  std::string folder, location;
};

// The external data files of a model, each once, in order of first use.
std::vector<DataFile> external_data_files(const graphsurgeon::Model& model);

// A temporary folder with model.onnx and, under their relative locations, links to the data files.
// Removed on destruction; the data files themselves are never touched.
class ModelFolder {
 public:
  // Throws IoError. `parent`: where the folder is made.
  ModelFolder(std::string_view model_bytes, const std::vector<DataFile>& data,
              const std::string& parent = "/tmp");
  ~ModelFolder();
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;

  const std::string& folder() const { return folder_; }
  std::string model_path() const { return folder_ + "/model.onnx"; }

 private:
  std::string folder_;
};

}  // namespace polygraphy
