// Whole files as texts.
#pragma once

#include <string>
#include <string_view>

#include "base/os/mapped_file.h"

namespace polygraphy {

// The bytes of a mapped file, valid as long as it.
inline std::string_view text_of(const MappedFile& file) {
  const auto bytes = file.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A copy of the contents of a file. Throws IoError.
inline std::string read_text(const std::string& path) {
  return std::string(text_of(*MappedFile::open(path, AccessPattern::kSequential)));
}

}  // namespace polygraphy
