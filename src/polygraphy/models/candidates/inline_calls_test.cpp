#include "polygraphy/models/candidates/inline_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using testing::HasSubstr;

// y = f<depth>(x), where f0 is Relu and each function calls the one before twice.
Model doubling(int depth) {
  std::string text =
      "<ir_version: 9, opset_import: [\"\": 17, \"f\": 1]> g (float[2] x) => (float[2] y) "
      "{ y = f.f" +
      std::to_string(depth) + "(x) }";
  for (int i = 0; i <= depth; ++i) {
    text += " <domain: \"f\", opset_import: [\"\": 17, \"f\": 1]> f" + std::to_string(i) +
            " (a) => (b) { ";
    const std::string before = "f.f" + std::to_string(i - 1);
    text += i == 0 ? "b = Relu(a) }" : "m = " + before + "(a) b = " + before + "(m) }";
  }
  return graphsurgeon::parse_onnx_text(text);
}

TEST(InlineCalls, OfFunctionsInFunctions) {
  Model model = doubling(2);
  inline_all_calls(model);
  std::vector<std::string> outputs;
  for (const auto& node : model.graph->nodes()) {
    EXPECT_EQ(node->op(), "Relu");
    outputs.emplace_back(node->outputs()[0]->name());
  }
  EXPECT_THAT(outputs, testing::ElementsAre("m_of_m_of_y", "m_of_y", "m_of_y_1", "y"));
}

TEST(InlineCalls, ThousandsOfThem) {
  Model model = doubling(12);
  inline_all_calls(model);
  EXPECT_EQ(model.graph->nodes().size(), 4096);
}

TEST(InlineCalls, FunctionsThatGrowWithoutEndAreRefused) {
  Model model = doubling(40);
  try {
    inline_all_calls(model, 1000);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("more than 1000 nodes"));
  }
}

}  // namespace
}  // namespace polygraphy
