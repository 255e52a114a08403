// The versions that an encoded model is stamped with, without loading it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace polygraphy {

// A number in an encoded model, and where its encoding lies.
struct StampedNumber {
  int64_t value = 0;
  size_t offset = 0;
  size_t size = 0;  // bytes
};

struct ModelStamp {
  std::optional<StampedNumber> ir_version;
  std::optional<StampedNumber> opset;  // of the default domain; nullopt when it is imported twice
};

// Looks at the headers of the outermost fields only. Nothing when it is damaged or no protobuf.
ModelStamp find_stamp(std::string_view model);

}  // namespace polygraphy
