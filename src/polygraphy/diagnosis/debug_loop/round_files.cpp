#include "polygraphy/diagnosis/debug_loop/round_files.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"

namespace polygraphy {

namespace fs = std::filesystem;

std::string path_in_slot(const std::string& path, int slot) {
  const fs::path whole(path);
  const std::string stem = whole.stem().string(), extension = whole.extension().string();
  return (whole.parent_path() / (stem + "_" + std::to_string(slot + 1) + extension)).string();
}

std::string RoundFiles::path(const std::string& final_place) const {
  return slot_ < 0 || !std::ranges::count(paths_, final_place) ? final_place
                                                               : path_in_slot(final_place, slot_);
}

void RoundFiles::move_into_place() const {
  for (const std::string& final_place : paths_) {
    std::error_code error;
    fs::rename(path(final_place), final_place, error);
    if (!error || error == std::errc::no_such_file_or_directory) continue;
    throw IoError("Cannot move " + path(final_place) + " to " + final_place + ": " +
                  error.message());
  }
}

void RoundFiles::remove() const {
  for (const std::string& final_place : paths_) ::unlink(path(final_place).c_str());
}

std::string RoundFiles::in_the_way() const {
  for (const std::string& final_place : paths_) {
    if (fs::exists(fs::symlink_status(path(final_place)))) return path(final_place);
  }
  return {};
}

}  // namespace polygraphy
