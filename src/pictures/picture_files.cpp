#include "pictures/picture_files.h"

#include "base/text.h"

namespace polygraphy {
namespace {

constexpr size_t kMaxBytes = 220;  // of the 255 that file systems take

// Windows takes none of these in names, nor do artifacts of GitHub.
constexpr std::string_view kForbidden = "\"*/<>?\\|";

// "Absolute Error - y (0,0-2)" of "Absolute Error | y: (0,0:2)".
std::string file_name(std::string_view title) {
  const std::string plain =
      replace_all(replace_all(replace_all(title, " | ", " - "), ": ", " "), ":", "-");
  title = plain;
  std::string name;
  while (!title.empty()) {
    const size_t length = first_code_point(title).length;
    if (name.size() + length > kMaxBytes) break;
    const auto first = static_cast<unsigned char>(title.front());
    const bool forbidden =
        first < 0x20 || first == 0x7F || kForbidden.find(title.front()) != std::string_view::npos;
    name += forbidden ? "_" : title.substr(0, length);
    title.remove_prefix(length);
  }
  return name;
}

}  // namespace

std::string PictureFiles::path_for(std::string_view title, std::string_view subject,
                                   std::string_view extension) {
  const std::string base = folder_ + "/" + file_name(title);
  const std::string owner = std::string(title) + '\0' + std::string(subject);
  for (int number = 1;; ++number) {
    const std::string path =
        base + (number == 1 ? "" : " (" + std::to_string(number) + ")") + std::string(extension);
    const auto [place, is_new] = subjects_.emplace(path, owner);
    if (is_new || place->second == owner) return path;
  }
}

}  // namespace polygraphy
