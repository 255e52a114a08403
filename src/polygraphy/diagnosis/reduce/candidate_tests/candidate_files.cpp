#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_files.h"

#include <filesystem>

#include "base/os/files/file_access.h"

namespace polygraphy {

namespace fs = std::filesystem;

std::vector<std::string> candidate_paths(const std::string& path, int jobs) {
  if (jobs == 1) return {path};
  const fs::path whole(path);
  const std::string stem = whole.stem().string(), extension = whole.extension().string();
  std::vector<std::string> paths;
  for (int slot = 1; slot <= jobs; ++slot) {
    const std::string name = stem + "_" + std::to_string(slot) + extension;
    paths.push_back((whole.parent_path() / name).string());
  }
  return paths;
}

void remove_candidate(const std::string& path) {
  remove_file(path);
  remove_file(path + ".data");
}

}  // namespace polygraphy
