#include "polygraphy/model_tools/inspect/tactic_replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

// A replay of one layer.
std::string replay(const std::string& layer, int tactic) {
  return R"({"replay": {")" + layer + R"(": {"implementation": 7, "tactic": )" +
         std::to_string(tactic) +
         R"(, "inputs": [{"dtype": "DataType.FLOAT", "strides": [4, 1], "vectorized_dim": -1,
             "components_per_element": 1, "polygraphy_class": "TensorInfo"}],
             "outputs": [], "polygraphy_class": "Algorithm"}},
             "polygraphy_class": "TacticReplayData"})";
}

std::string failure(std::string_view text) {
  try {
    parse_tactic_replay(text, "r.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(TacticReplay, IsReadAndPrinted) {
  const TacticReplay read = parse_tactic_replay(replay("conv", -2), "r.json");
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(to_text(*read.find("conv")),
            "(Implementation: 7, Tactic: -2) | Inputs: (TensorInfo(DataType.FLOAT, (4, 1), -1, "
            "1),) | Outputs: ()");
}

TEST(TacticReplay, OtherFilesAreRefused) {
  EXPECT_THAT(failure("[1]"), HasSubstr("r.json holds no JSON object."));
  EXPECT_THAT(failure("{}"), HasSubstr("r.json holds an object without a class."));
  EXPECT_THAT(failure(R"({"lst": [], "polygraphy_class": "RunResults"})"),
              HasSubstr("r.json holds an object of class RunResults."));
  EXPECT_THAT(failure(R"({"polygraphy_class": "TacticReplayData"})"), HasSubstr("no layers"));
  EXPECT_THAT(failure(R"({"replay": {"a": 1}, "polygraphy_class": "TacticReplayData"})"),
              HasSubstr("expected an object"));
  EXPECT_THAT(failure(R"({"replay": {"a": {"tactic": 99999999999999999999}},
                          "polygraphy_class": "TacticReplayData"})"),
              HasSubstr("expected a whole number"));
  EXPECT_THAT(failure("hello"), HasSubstr("expected a JSON value"));
}

TEST(TacticReplay, OfDamagedFilesLayerAndKeyAreNamed) {
  const auto of_layer = [](const std::string& text) {
    return failure(R"({"replay": {"a": )" + text + R"(}, "polygraphy_class": "TacticReplayData"})");
  };
  const auto of_input = [&](const std::string& text) {
    return of_layer(R"({"inputs": [)" + text + "]}");
  };
  EXPECT_THAT(failure(R"({"replay": {"a": {"inputs": [{"strides": [1)"),
              HasSubstr("Place: 'strides' of input 0 of layer 'a'."));
  EXPECT_THAT(of_layer("1"), HasSubstr("Place: layer 'a'."));
  EXPECT_THAT(of_layer("{}"), HasSubstr("layer 'a' has no 'implementation'"));
  EXPECT_THAT(of_layer(R"({"implementation": 1, "inputs": [], "outputs": []})"),
              HasSubstr("layer 'a' has no 'tactic'"));
  EXPECT_THAT(of_layer(R"({"tactic": 1.5})"), HasSubstr("Place: 'tactic' of layer 'a'."));
  EXPECT_THAT(of_layer(R"({"outputs": {}})"), HasSubstr("Place: 'outputs' of layer 'a'."));
  EXPECT_THAT(of_input("{}"), HasSubstr("input 0 of layer 'a' has no 'dtype'"));
  EXPECT_THAT(of_input(R"({"strides": ["x"]})"),
              HasSubstr("Place: 'strides' of input 0 of layer 'a'."));
}

}  // namespace
}  // namespace polygraphy
