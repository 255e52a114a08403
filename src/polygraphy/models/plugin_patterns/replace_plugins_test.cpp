#include "polygraphy/models/plugin_patterns/replace_plugins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/models/plugin_patterns/replace_subgraph.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using testing::HasSubstr;

// b reads the input of the part that is replaced, and is not part of it.
constexpr std::string_view kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[2] x) => (float[2] y, float[2] b) <float[2] w = {1, 2}> {
  [first] a = Relu (x)
  [beside] b = Neg (x)
  [split] c, d = Split (a)
  [second] e = Add (c, w)
  [last] y = Concat <axis = 0> (e, d)
})";

class ReplacePlugins : public testing::Test {
 protected:
  ReplacePlugins() {
    save_model(graphsurgeon::parse_onnx_text(kModel), folder_ / "m.onnx");
    log_.set_sink([this](Severity, std::string_view text) { said_ += std::string(text) + "\n"; });
  }

  std::string replaced(std::string_view instances) {
    const std::string text = "name: p\nop: P\ninstances:\n" + std::string(instances);
    const ReplaceOptions options{.model = {.path = folder_ / "m.onnx"},
                                 .plugin_folder = folder_.path()};
    const auto model = replace_plugins(
        options, read_config(text, "c.yaml"), "c.yaml",
        []() -> std::shared_ptr<UserPython> { throw Error("Python is not needed"); }, log_);
    std::string nodes;
    for (const auto& node : model->graph->nodes()) {
      nodes += (nodes.empty() ? "" : "; ") + std::string(node->op());
      for (const auto* tensor : node->inputs()) nodes += " " + std::string(tensor->name());
      nodes += " ->";
      for (const auto* tensor : node->outputs()) nodes += " " + std::string(tensor->name());
    }
    return nodes;
  }
  std::string failure(std::string_view instances) {
    try {
      return replaced(instances);
    } catch (const Error& error) {
      return error.what();
    }
  }

  TemporaryFolder folder_;
  Logger log_;
  std::string said_;
};

TEST_F(ReplacePlugins, ANodeTakesThePlaceOfWhatMadeItsOutputs) {
  EXPECT_EQ(replaced("- {inputs: [x], outputs: [y], attributes: {k: 1}}\n"),
            "Neg x -> b; P x -> y");
  EXPECT_THAT(said_, HasSubstr("[I] replaced 1 instances of p plugin"));
}

TEST_F(ReplacePlugins, OtherOutputsOfANodeStayWhereTheyAre) {
  EXPECT_EQ(
      replaced("- {inputs: [x], outputs: [c]}\n"),
      "Relu x -> a; Neg x -> b; P x -> c; Split a -> c_unused d; Add c w -> e; Concat e d -> y");
}

TEST_F(ReplacePlugins, InstancesMayFollowEachOther) {
  EXPECT_EQ(replaced("- {inputs: [e, d], outputs: [y]}\n- {inputs: [c], outputs: [e]}\n"),
            "Relu x -> a; Neg x -> b; Split a -> c d; P c -> e; P e d -> y");
}

TEST_F(ReplacePlugins, ErrorsNameInstanceAndTensor) {
  EXPECT_EQ(failure("- {inputs: [x], outputs: [y]}\n- {inputs: [x], outputs: [nope]}\n"),
            "Instance 1 of the plugin p (c.yaml, line 5) names the tensor 'nope', which the model "
            "does not have");
  EXPECT_THAT(failure("- {inputs: [x], outputs: []}\n"), HasSubstr("has no outputs"));
  EXPECT_THAT(failure("- {inputs: [a], outputs: [x]}\n"),
              HasSubstr("cannot produce the tensor 'x': it is an input of the model"));
  EXPECT_THAT(failure("- {inputs: [a], outputs: [w]}\n"),
              HasSubstr("cannot produce the tensor 'w': it is a constant of the model"));
  EXPECT_THAT(failure("- {inputs: [a], outputs: [a]}\n"),
              HasSubstr("cannot produce the tensor 'a': it is also an input of the plugin"));
  EXPECT_THAT(failure("- {inputs: [a], outputs: [y, y]}\n"),
              HasSubstr("names the tensor 'y' twice among its outputs"));
  EXPECT_THAT(failure("- {inputs: [y], outputs: [e]}\n"), HasSubstr("cycle"));
}

TEST_F(ReplacePlugins, AttributesAreNumbersTextsAndListsOfThem) {
  const auto with = [](const std::string& value) {
    return "- {inputs: [x], outputs: [y], attributes: {k: " + value + "}}\n";
  };
  for (const std::string value :
       {"1", "1.5", "a", "true", "[1, 2]", "[1, 2.5]", "[a, b]", "[true]"}) {
    EXPECT_THAT(failure(with(value)), HasSubstr("P x -> y")) << value;
  }
  EXPECT_THAT(failure(with("~")), HasSubstr("the attribute 'k' is nothing, but"));
  EXPECT_THAT(failure(with("{a: 1}")), HasSubstr("the attribute 'k' is a map, but"));
  EXPECT_THAT(failure(with("[]")), HasSubstr("the attribute 'k' is an empty list"));
  EXPECT_THAT(failure(with("[1, a]")), HasSubstr("the attribute 'k' is a list of mixed types"));
  EXPECT_THAT(failure(with("[[1]]")), HasSubstr("the attribute 'k' is a list of mixed types"));
}

TEST_F(ReplacePlugins, AnInstanceWithinAnotherHasNoEffect) {
  EXPECT_EQ(replaced("- {inputs: [x], outputs: [y]}\n- {inputs: [c], outputs: [e]}\n"),
            "Neg x -> b; P x -> y");
  EXPECT_THAT(said_, HasSubstr("[W] Instance 1 of the plugin p (c.yaml, line 5) has no effect: its "
                               "outputs are no longer needed"));
}

}  // namespace
}  // namespace polygraphy
