#include "pictures/picture_files.h"

#include "base/text.h"

namespace polygraphy {
namespace {

constexpr size_t kMaxBytes = 220;  // of the 255 that file systems take

std::string file_name(std::string_view title) {
  std::string name;
  while (!title.empty()) {
    const size_t length = first_code_point(title).length;
    if (name.size() + length > kMaxBytes) break;
    const auto first = static_cast<unsigned char>(title.front());
    name += first == '/' || first < 0x20 || first == 0x7F ? "_" : title.substr(0, length);
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
