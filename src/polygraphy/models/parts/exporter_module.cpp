#include "polygraphy/models/parts/exporter_module.h"

#include <string_view>

#include "base/error.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace polygraphy {
namespace {

namespace wire = graphsurgeon::wire;

constexpr std::string_view kScopes = "pkg.torch.onnx.name_scopes";

// The last module in a list of Python's texts, "['', 'layers.3', 'layers.3.mlp', 'linear_4']",
// whose last element is the node itself.
std::string innermost(std::string_view list) {
  std::string module, current, last;
  bool open = false;
  char quote = 0;
  for (const char c : list) {
    if (!open && (c == '\'' || c == '"')) {
      open = true;
      quote = c;
      current.clear();
    } else if (open && c == quote) {
      open = false;
      if (!last.empty()) module = last;
      last = current;
    } else if (open) {
      current += c;
    }
  }
  return module;
}

}  // namespace

std::string exporter_module(const graphsurgeon::Node& node) {
  if (node.unknown_fields().empty()) return {};
  try {
    wire::Reader fields(node.unknown_fields());
    while (fields.next()) {
      if (fields.key() != wire::bytes_key(wire::node::kMetadataProps)) continue;
      wire::Reader entry(fields.bytes());
      std::string_view key, value;
      while (entry.next()) {
        if (entry.key() == wire::bytes_key(wire::entry::kKey)) key = entry.bytes();
        if (entry.key() == wire::bytes_key(wire::entry::kValue)) value = entry.bytes();
      }
      if (key == kScopes) return innermost(value);
    }
  } catch (const FormatError&) {
    // Damaged metadata says nothing.
  }
  return {};
}

}  // namespace polygraphy
