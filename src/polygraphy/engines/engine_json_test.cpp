#include "polygraphy/engines/engine_json.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

TEST(EngineJson, LayersTellWhetherTheirOutputsAreExecuted) {
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

TEST(EngineJson, NetworksThatSayNothingTakeNoPrecisions) {
  EXPECT_FALSE(read_network(R"({"name": "g", "layers": []})", "a library").layer_precisions);
}

}  // namespace
}  // namespace polygraphy
