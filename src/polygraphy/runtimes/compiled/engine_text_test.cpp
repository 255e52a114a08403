#include "polygraphy/runtimes/compiled/engine_text.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "polygraphy/runtimes/compiled/engine_json.h"

namespace polygraphy {
namespace {

// With one layer, in the form of TensorRT's inspector.
EngineDescription engine_of(const std::string& layers) {
  return read_engine(
      R"({"name": "net", "refittable": true, "memory": 7, "verbosity": "DETAILED",
          "tensors": [{"name": "in", "input": true, "dtype": 10, "shape": [2]},
                      {"name": "result", "input": false, "dtype": 1, "shape": []}],
          "profiles": [[{"name": "in", "shapes": [[1], [2], [3]], "values": [[4], [5], [6]]}]],
          "layers": )" +
          layers + "}",
      "tensorrt");
}

constexpr const char* kHeading =
    "==== TensorRT Engine ====\n"
    "Name: net | Refittable Explicit Batch Engine\n"
    "\n"
    "---- 1 Engine Input(s) ----\n"
    "{in [dtype=float16, shape=(2,)]}\n"
    "\n"
    "---- 1 Engine Output(s) ----\n"
    "{result [dtype=float32, shape=()]}\n"
    "\n"
    "---- Memory ----\n"
    "Device Memory: 7 bytes\n"
    "\n"
    "---- 1 Profile(s) (2 Tensor(s) Each) ----\n"
    "- Profile: 0\n"
    "    Tensor: in              (Input), Index: 0 | Shapes: min=(1,), opt=(2,), max=(3,)\n"
    "    Tensor: result         (Output), Index: 1 | Shape: ()\n"
    "\n";

TEST(EngineText, NamesArePaddedToTheLongest) {
  EXPECT_EQ(engine_text(engine_of("[[\"\\\"a\\\"\"]]"), {}),
            std::string(kHeading) + "---- 1 Layer(s) ----");
  EXPECT_EQ(engine_text(engine_of("[]"), {}), std::string(kHeading) + "---- 0 Layer(s) ----");
}

TEST(EngineText, TypesAreReadFromFormats) {
  const EngineDescription engine = engine_of(
      R"([["{\"Name\": \"l\", \"LayerType\": \"Cast\", \"Origin\": \"CAST\", )"
      R"(\"TacticName\": \"t\", \"Inputs\": [{\"Name\": \"a\", \"Dimensions\": [1], )"
      R"(\"Format/Datatype\": \"Linear BFloat16\"}, {\"Name\": \"a\", \"Dimensions\": [1], )"
      R"(\"Format/Datatype\": \"N/A due to x\"}], \"Outputs\": [{\"Name\": \"b\", )"
      R"(\"Dimensions\": [1], \"Datatype\": \"UINT8\"}]}"]])");
  EXPECT_EQ(engine_text(engine, {.layers = true, .attrs = true}),
            std::string(kHeading) +
                "---- 1 Layer(s) ----\n"
                "Layer 0    | l [Op: Cast]\n"
                "    {a [dtype=bfloat16, shape=(1,), Format: Linear BFloat16],\n"
                "     a [shape=(1,)]}\n"
                "     -> {b [dtype=int8, shape=(1,), Format: UINT8]}\n"
                "    ---- Attributes ----\n"
                "    Origin = CAST\n"
                "    Tactic = t");
}

TEST(EngineText, ValuesOfShapesAreKept) {
  EXPECT_EQ(engine_of("[]").profiles[0][0].values[2], std::vector<int64_t>{6});
}

TEST(EngineText, WhatIsNoLayerIsAnError) {
  EXPECT_THROW(engine_of("[[\"{\"]]"), FormatError);
  EXPECT_THROW(engine_of("[[\"{\\\"Inputs\\\": [3]}\"]]"), FormatError);
}

}  // namespace
}  // namespace polygraphy
