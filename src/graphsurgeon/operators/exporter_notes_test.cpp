#include "graphsurgeon/operators/exporter_notes.h"

#include <gtest/gtest.h>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon {
namespace {

// Texts of less than 128 bytes each.
std::string field(uint32_t number, std::string_view text) {
  std::string bytes(1, static_cast<char>(wire::bytes_key(number)));
  return bytes + static_cast<char>(text.size()) + std::string(text);
}

ExporterNotes notes_of(std::string_view key, std::string_view value) {
  const NodeRef node = Node::create(*Store::create(), "MatMul", "n");
  node->set_unknown_fields(
      field(wire::node::kMetadataProps,
            field(wire::entry::kKey, key) + field(wire::entry::kValue, value)));
  return exporter_notes(*node);
}

TEST(ExporterNotes, TheModuleIsTheLastScopeBeforeTheNode) {
  const auto module = [](std::string_view list) {
    return notes_of("pkg.torch.onnx.name_scopes", list).module;
  };
  EXPECT_EQ(module("['', 'layers.3', 'layers.3.mlp', 'linear_4']"), "layers.3.mlp");
  EXPECT_EQ(module("['', \"linear\"]"), "");
  EXPECT_EQ(module("["), "");
  EXPECT_EQ(notes_of("other", "['', 'a', 'b']").module, "");
}

TEST(ExporterNotes, TheSourceIsTheInnermostLineOutsideOfTorch) {
  const auto source = [](std::string_view stack) {
    return notes_of("pkg.torch.onnx.stack_trace", stack).source;
  };
  EXPECT_EQ(
      source("File \"/me/a.py\", line 7, in main\n    f()\n  File \"/me/b.py\", line 12, in f"),
      "/me/b.py:12");
  EXPECT_EQ(source("File \"a.py\", line 7, in g\nFile \"/lib/torch/nn/linear.py\", line 1, in f"),
            "a.py:7");
  EXPECT_EQ(source("File \"a.py"), "");
}

TEST(ExporterNotes, DamagedMetadataSaysNothing) {
  const NodeRef node = Node::create(*Store::create(), "MatMul", "n");
  node->set_unknown_fields(field(wire::node::kMetadataProps, "\x0a\x7f"));
  EXPECT_EQ(exporter_notes(*node).module, "");
}

}  // namespace
}  // namespace graphsurgeon
