#include "polygraphy/diagnosis/debug_loop/artifacts.h"

#include <filesystem>

#include "base/error.h"
#include "base/log_modules.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using log_modules::kIterativeDebug;

// The destination may be on another file system.
void move(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (!error) return;
  fs::copy(from, to, fs::copy_options::recursive, error);
  if (!error) fs::remove_all(from, error);
  if (error) {
    throw IoError("Cannot move the artifact " + from.string() + " to " + to.string() + ": " +
                  error.message());
  }
}

}  // namespace

void sort_artifacts(const ArtifactOptions& options, int64_t iteration, const std::string& suffix,
                    bool passed, Logger& log) {
  const fs::path folder = fs::path(options.folder) / (passed ? "good" : "bad");
  for (const std::string& typed : options.paths) {
    fs::path artifact(typed);
    if (!artifact.has_filename()) artifact = artifact.parent_path();  // "folder/"
    if (!fs::exists(fs::symlink_status(artifact))) {
      log.error(kIterativeDebug, "Artifact: " + typed +
                                     " does not exist, skipping.\nDoes the check, or this tool, "
                                     "write it in every iteration?");
      continue;
    }
    const fs::path destination =
        folder / (artifact.stem().string() + "_" + options.stamp + "_N" +
                  std::to_string(iteration) + suffix + artifact.extension().string());
    if (fs::exists(fs::symlink_status(destination))) {
      log.error(kIterativeDebug, "Destination path: " + destination.string() +
                                     " already exists.\nThe artifact is not moved: " + typed);
      continue;
    }
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
      throw IoError("Cannot create the folder " + folder.string() + ": " + error.message());
    }
    log.info(kIterativeDebug, "Moving " + typed + " to " + destination.string());
    move(artifact, destination);
  }
}

}  // namespace polygraphy
