#include "polygraphy/comparison/run/run_paths.h"

#include <filesystem>

#include "base/error.h"
#include "polygraphy/data/results/iteration_files.h"

namespace polygraphy {
namespace {

std::filesystem::path normal(const std::string& path) {
  std::error_code no_current_folder;
  const auto absolute = std::filesystem::absolute(path, no_current_folder);
  return (no_current_folder ? std::filesystem::path(path) : absolute).lexically_normal();
}

// A path, or one of the folders it lies in.
bool lies_in(const std::string& path, const std::string& folder) {
  const auto relative = normal(path).lexically_relative(normal(folder));
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

void check_paths(const RunOptions& options, const std::vector<std::string>& loaded) {
  std::vector<std::string> saves;
  for (const auto& save : {options.save_inputs, options.save_outputs, options.save_input_blobs}) {
    if (save.empty()) continue;
    for (const auto& other : saves) {
      if (normal(save) != normal(other)) continue;
      throw Error(
          "Two of save_inputs_path, save_outputs_path, and save_input_blob_path resolve to the "
          "same path ('" +
          other + "'). Use distinct paths.");
    }
    saves.push_back(save);
  }
  // A folder of one file per iteration is read as a whole.
  const auto check_apart = [](const std::string& file, const std::string& folder) {
    if (file.empty() || folder.empty() || !is_directory_target(folder) || !lies_in(file, folder))
      return;
    throw Error("The save path '" + file + "' is inside the save path '" + folder +
                "', a folder of per-iteration files: loading the folder would read it as one of "
                "them. Use distinct paths.");
  };
  check_apart(options.save_inputs, options.save_outputs);
  check_apart(options.save_outputs, options.save_inputs);
  for (const auto& load : loaded) {
    for (const auto& save : saves) {
      // Raw inputs go into separate folders below their folder, and nothing reads these.
      const bool overlaps =
          save == options.save_input_blobs ? normal(load) == normal(save) : lies_in(load, save);
      if (!overlaps) continue;
      throw Error("The load path '" + load + "' overlaps the save path '" + save +
                  "'. Saving would overwrite or conflict with the data being loaded. Use distinct "
                  "paths for loading and saving.");
    }
  }
}

}  // namespace polygraphy
