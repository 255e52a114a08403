// Names of picture files: the original's, with our extension, without two pictures sharing one.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace polygraphy {

class PictureFiles {
 public:
  explicit PictureFiles(std::string folder) : folder_(std::move(folder)) {}

  // The path for a picture with this title: slashes and control characters become underscores, and
  // long titles are cut. `subject` distinguishes pictures whose names would be the same ("a/b" and
  // "a_b", or other runners): the second one gets " (2)". The same title and subject get the same
  // path again, so the picture of a later iteration takes the place of the earlier one, as in the
  // original.
  std::string path_for(std::string_view title, std::string_view subject,
                       std::string_view extension);

 private:
  std::string folder_;
  std::map<std::string, std::string> subjects_;  // by path
};

}  // namespace polygraphy
