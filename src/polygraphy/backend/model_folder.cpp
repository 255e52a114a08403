#include "polygraphy/backend/model_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/system_error.h"
#include "graphsurgeon/io/walk.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;

// Relative and without "..": loading refuses others, and a link must not be made elsewhere.
bool stays_inside(const fs::path& location) {
  if (location.empty() || location.is_absolute()) return false;
  for (const fs::path& part : location) {
    if (part == "..") return false;
  }
  return true;
}

void link_data(const fs::path& folder, const DataFile& data) {
  const fs::path location(data.location);
  if (!stays_inside(location)) {
    throw IoError(
        fmt::format("external data '{}' is not inside the model's folder", data.location));
  }
  const fs::path link = folder / location;
  std::error_code error;
  const fs::path target = fs::absolute(fs::path(data.folder) / location, error);
  fs::create_directories(link.parent_path(), error);
  if (!error) fs::create_symlink(target, link, error);
  if (error) {
    throw IoError(
        fmt::format("cannot link {} to {}: {}", link.native(), target.native(), error.message()));
  }
}

}  // namespace

std::vector<DataFile> external_data_files(const graphsurgeon::Model& model) {
  std::vector<DataFile> files;
  std::set<std::pair<std::string, std::string>> seen;
  graphsurgeon::for_each_payload(model, [&](const graphsurgeon::PayloadUse& use) {
    graphsurgeon::for_each_external(*use.values, [&](const graphsurgeon::ExternalPayload& payload) {
      const graphsurgeon::ExternalRange& range = *payload.external();
      if (seen.emplace(range.folder, range.location).second)
        files.push_back({range.folder, range.location});
    });
  });
  return files;
}

ModelFolder::ModelFolder(std::string_view model_bytes, const std::vector<DataFile>& data,
                         const std::string& parent)
    : folder_(parent + "/polygraphy-model-XXXXXX") {
  if (!mkdtemp(folder_.data())) {
    throw IoError(
        fmt::format("cannot make a temporary folder in {}: {}", parent, system_reason(errno)));
  }
  try {
    write_file(model_path(), model_bytes, Durability::kNone);
    for (const DataFile& file : data) link_data(folder_, file);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw;
  }
}

ModelFolder::~ModelFolder() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);  // removes links, not what they point at
}

}  // namespace polygraphy
