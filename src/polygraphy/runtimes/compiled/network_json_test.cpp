#include "polygraphy/runtimes/compiled/network_json.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "polygraphy/runtimes/compiled/network_text.h"
#include "polygraphy/runtimes/compiled/onnx_like.h"

namespace polygraphy {
namespace {

std::string network_with(const std::string& attribute) {
  return R"({"name": "n", "layers": [{"name": "l", "type": "CONSTANT", "op": "LayerType.CONSTANT", )"
         R"("outputs": [{"name": "y", "dtype": 1, "shape": [2]}], "attributes": [)" +
         attribute + "]}]}";
}

NetworkDescription read_whole(const std::string& text) {
  const auto bytes = std::make_shared<const std::string>(text);
  return read_network_with_weights(*bytes, bytes, "tensorrt");
}

std::string text_of(const NetworkDescription& network) {
  const std::string text = network_text(network, {.layers = true, .attrs = true, .weights = true});
  return text.substr(text.find("Layer 0"));
}

TEST(NetworkJson, WeightsLieBehindTheLineBreak) {
  const float values[] = {0.5F, 2};
  const std::string bytes(reinterpret_cast<const char*>(values), sizeof(values));
  const NetworkDescription network =
      read_whole(network_with(R"({"name": "w", "weights": {"dtype": 1, "count": 2, "at": 0}})") +
                 "\n" + bytes);
  EXPECT_EQ(text_of(network),
            "Layer 0    | l [Op: LayerType.CONSTANT]\n"
            "    {} -> {y [dtype=float32, shape=(2,)]}\n"
            "    ---- Attributes ----\n"
            "    l.w = [0.5 2. ]");
}

TEST(NetworkJson, WeightsThatAreNotThereAreAnError) {
  for (const char* weights :
       {R"({"dtype": 1, "count": 2, "at": 1})", R"({"dtype": 1, "count": -1, "at": 0})",
        R"({"dtype": 1, "count": 1, "at": -4})", R"({"dtype": 1, "count": 9223372036854775807})",
        R"({"dtype": 1, "count": 0, "at": 9})"}) {
    const std::string text =
        network_with(std::string(R"({"name": "w", "weights": )") + weights + "}");
    EXPECT_THROW(read_whole(text + "\n12345678"), FormatError) << weights;
  }
  EXPECT_THROW(read_whole(network_with("")), FormatError);
}

TEST(NetworkJson, ValuesArePrintedAsPythonDoes) {
  const auto shown = [](const std::string& value) {
    const std::string text =
        text_of(read_network(network_with("{\"name\": \"a\", " + value + "}"), "tensorrt"));
    return text.substr(text.find("l.a = ") + 6);
  };
  EXPECT_EQ(shown(R"("int": 3)"), "3");
  EXPECT_EQ(shown(R"("float": 0.10000000149011612)"), "0.10000000149011612");
  EXPECT_EQ(shown(R"("float": Infinity)"), "inf");
  EXPECT_EQ(shown(R"("bool": true)"), "True");
  EXPECT_EQ(shown(R"("enum": "ScatterMode.ND")"), "ScatterMode.ND");
  EXPECT_EQ(shown(R"("dims": [3])"), "(3,)");
  EXPECT_EQ(shown(R"("dims": [])"), "()");
  EXPECT_EQ(shown(R"("permutation": [1, 0])"), "(1, 0)");
  EXPECT_EQ(shown(R"("floats": [1, 0.5])"), "[1.0, 0.5]");
  EXPECT_EQ(shown(R"("object": "loop")"), "loop");
}

TEST(NetworkJson, WhatIsKnownNowhereIsNone) {
  const auto model = onnx_like_from_network(read_network(
      network_with(R"({"name": "d", "dims": []}, {"name": "w", "weights": {}})"), "tensorrt"));
  const auto& node = *model.graph->nodes()[0];
  EXPECT_EQ(node.attribute("d")->as_string(), "None");
  EXPECT_EQ(node.attribute("w")->as_string(), "None");
}

TEST(NetworkJson, LayersTellWhetherTheirOutputsAreExecuted) {
  const NetworkDescription network = read_network(R"({"name": "g", "layer_precisions": true,
      "layers": [{"name": "a", "type": "SHAPE", "inputs": [{"name": "x", "executed": false}],
                  "outputs": [{"name": "s", "dtype": 7, "shape": [2], "executed": false}, null]},
                 {"name": "b", "type": "ACTIVATION", "inputs": [{"name": "s", "executed": false}],
                  "outputs": [{"name": "y", "dtype": 1, "shape": [-1]}]}]})",
                                                  "a library");
  EXPECT_TRUE(network.layer_precisions);
  ASSERT_EQ(network.layers.size(), 2u);
  EXPECT_FALSE(network.layers[0].executed);
  EXPECT_EQ(network.layers[0].outputs.size(), 1u);
  EXPECT_TRUE(network.layers[1].executed);
}

TEST(NetworkJson, NetworksThatSayNothingTakeNoPrecisions) {
  EXPECT_FALSE(read_network(R"({"name": "g", "layers": []})", "a library").layer_precisions);
}

}  // namespace
}  // namespace polygraphy
