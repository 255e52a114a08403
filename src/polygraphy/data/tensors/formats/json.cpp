// JSON as the original writes it, and plain JSON of named lists.
#include "polygraphy/data/tensors/tensor_format.h"

namespace polygraphy {
namespace {

bool resembles(std::span<const std::byte> bytes) {
  for (const std::byte byte : bytes) {
    const char c = static_cast<char>(byte);
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    return std::string_view("{[\"-0123456789tfnNI").find(c) != std::string_view::npos;
  }
  return bytes.empty();
}

}  // namespace

extern constinit const TensorFormat tensor_format_json = {
    .name = "JSON",
    .extensions = ".json",
    .order = 0,
    .content = TensorFormat::Content::kDocument,
    .resembles = resembles,
};

}  // namespace polygraphy
