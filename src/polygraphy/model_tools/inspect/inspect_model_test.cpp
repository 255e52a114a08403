#include "polygraphy/model_tools/inspect/inspect_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Attribute;
using graphsurgeon::AttributeType;
using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;
using testing::ElementsAre;

struct Messages {
  std::vector<std::string> all;
  Logger logger{[this](Severity, std::string_view text) { all.emplace_back(text); }};
};

TEST(InspectModel, LogsOneMessage) {
  Messages messages;
  inspect_model(parse_onnx_text("g (float x) => (float y) { y = Relu (x) }"), {}, messages.logger);
  EXPECT_THAT(messages.all, ElementsAre("[I] ==== ONNX Model ====\n"
                                        "    Name: g | ONNX Opset: 20\n"
                                        "    \n"
                                        "    ---- 1 Graph Input(s) ----\n"
                                        "    {x [dtype=float32, shape=()]}\n"
                                        "    \n"
                                        "    ---- 1 Graph Output(s) ----\n"
                                        "    {y [dtype=float32, shape=()]}\n"
                                        "    \n"
                                        "    ---- 0 Initializer(s) ----\n"
                                        "    \n"
                                        "    ---- 1 Node(s) ----"));
}

TEST(InspectModel, WarnsOfAttributesThatItDoesNotShow) {
  Messages messages;
  Model model = parse_onnx_text(R"(g (bool c, float x) => (float y) {
    y = If (c) <then_branch = t () => (a) { a = Op <kind = 0, odd = 0> (x) }> })");
  const auto& inner = model.graph->nodes()[0]->subgraphs()[0]->nodes()[0];
  const std::pair<const char*, AttributeType> odd_ones[] = {
      {"kind", AttributeType::kTypeProto}, {"odd", static_cast<AttributeType>(77)}};
  for (const auto& [name, type] : odd_ones) {
    Attribute attribute;
    attribute.name = name;
    attribute.type = type;
    inner->set_attribute(attribute);
  }
  inspect_model(model, {.show = {.layers = true, .attrs = true}}, messages.logger);
  ASSERT_EQ(messages.all.size(), 3u);
  EXPECT_EQ(messages.all[0],
            "[W] Attribute of type TYPE_PROTO is currently unsupported. Skipping attribute.");
  EXPECT_EQ(messages.all[1], "[W] Attribute type 77 was not recognized. Skipping attribute.");
  EXPECT_THAT(messages.all[2], testing::Not(testing::HasSubstr("kind = ")));
}

TEST(InspectModel, ListsUnboundedTensorsWhenAsked) {
  Messages messages;
  inspect_model(parse_onnx_text(R"(g (float[N] x, int64[1] s) => (y) {
                  size = Abs (s)
                  y = Expand (x, size)
                })"),
                {.unbounded_sizes = true}, messages.logger);
  ASSERT_EQ(messages.all.size(), 2u);
  EXPECT_EQ(messages.all[1],
            "[I] Found tensors with unbounded DDS: [Variable (size): (shape=None, dtype=None)]");
}

}  // namespace
}  // namespace polygraphy
