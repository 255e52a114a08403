// Names of the files of rounds that run side by side.
#pragma once

#include <string>
#include <vector>

namespace polygraphy {

// "folder/name.onnx" -> "folder/name_2.onnx" for slot 1.
std::string path_in_slot(const std::string& path, int slot);

// The files that a round writes, in their final places or in those of a slot.
class RoundFiles {
 public:
  // `slot`: -1: the final places.
  explicit RoundFiles(std::vector<std::string> paths, int slot = -1)
      : paths_(std::move(paths)), slot_(slot) {}

  std::string path(const std::string& final_place) const;
  // Files that are missing stay so. Throws IoError.
  void move_into_place() const;
  void remove() const;
  // The first that is there already; empty: none.
  std::string in_the_way() const;

 private:
  std::vector<std::string> paths_;
  int slot_;
};

}  // namespace polygraphy
