#include "polygraphy/models/candidates/candidate_folder.h"

#include <filesystem>
#include <vector>

#include "base/os/atomic_file.h"
#include "graphsurgeon/io/placed_payloads.h"
#include "graphsurgeon/ir/payloads/source.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;

// No location that a model is likely to have.
constexpr const char* kWeights = "polygraphy_weights.onnx";

// Bytes from which on a weight stays where it is.
constexpr int64_t kLargeWeight = 1024;

}  // namespace

CandidateFolder::CandidateFolder(const graphsurgeon::Model& model, const std::string& parent,
                                 DataPlacement placement) {
  std::vector<DataFile> files;
  const auto& source = model.graph->store().source();
  if (source && source->file && source->file->fd() >= 0) {
    const fs::path file = fs::absolute(source->file->path());
    files.push_back({file.parent_path().native(), file.filename().native(), kWeights});
  }
  for (DataFile& data : external_data_files(model)) files.push_back(std::move(data));
  folder_ = std::make_unique<ModelFolder>("", files, parent, placement);
  of_bodies_.emplace(folder_->folder());
}

void CandidateFolder::write(const graphsurgeon::Model& candidate, const std::string& path) {
  write_file(path,
             graphsurgeon::encode_beside_weights(candidate, kWeights, kLargeWeight,
                                                 of_bodies_->place(candidate)),
             Durability::kNone);
}

}  // namespace polygraphy
