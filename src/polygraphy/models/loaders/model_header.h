// The IR version and the opset of an encoded model, read without loading it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace polygraphy {

// A number in an encoded model, and the place of its encoding.
struct HeaderNumber {
  int64_t value = 0;
  size_t offset = 0;
  size_t size = 0;  // bytes
};

struct ModelHeader {
  std::optional<HeaderNumber> ir_version;
  std::optional<HeaderNumber> opset;  // of the default domain; nullopt when it is imported twice
};

// Parses the outermost fields only. Both are nullopt if the bytes are malformed.
ModelHeader find_header(std::string_view model);

}  // namespace polygraphy
