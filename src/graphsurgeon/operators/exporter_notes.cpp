#include "graphsurgeon/operators/exporter_notes.h"

#include "base/error.h"
#include "base/text.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon {
namespace {

constexpr std::string_view kScopes = "pkg.torch.onnx.name_scopes";
constexpr std::string_view kStack = "pkg.torch.onnx.stack_trace";

// The last module in a list of Python's texts, "['', 'layers.3', 'layers.3.mlp', 'linear_4']"; its
// last element is the node itself.
std::string innermost_module(std::string_view list) {
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

// Of a traceback of Python, which names the innermost call last:
//   File "/home/me/model.py", line 12, in forward
//     return self.linear(x)
std::string innermost_line(std::string_view traceback) {
  constexpr std::string_view kFile = "File \"", kLine = "\", line ";
  std::string found;
  for (const std::string_view line : polygraphy::split(traceback, '\n')) {
    const std::string_view frame = polygraphy::strip(line);
    const size_t end = frame.find(kLine);
    if (!frame.starts_with(kFile) || end == std::string_view::npos) continue;
    const std::string_view file = frame.substr(kFile.size(), end - kFile.size());
    if (file.find("/torch/") != std::string_view::npos) continue;
    const std::string_view number = frame.substr(end + kLine.size());
    found = std::string(file) + ":" + std::string(number.substr(0, number.find(',')));
  }
  return found;
}

}  // namespace

ExporterNotes exporter_notes(const Node& node) {
  ExporterNotes notes;
  if (node.unknown_fields().empty()) return notes;
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
      if (key == kScopes) notes.module = innermost_module(value);
      if (key == kStack) notes.source = innermost_line(value);
    }
  } catch (const polygraphy::FormatError&) {
    // Damaged metadata says nothing.
  }
  return notes;
}

}  // namespace graphsurgeon
