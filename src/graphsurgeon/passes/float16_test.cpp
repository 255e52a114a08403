#include "graphsurgeon/passes/float16.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/passes/testdata/graph_names.h"

namespace graphsurgeon {
namespace {

using polygraphy::Logger;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Model converted(const char* text, const Float16Options& options = {}) {
  Model model = parse_onnx_text(text);
  check_model(model, {.shapes = true});
  Logger silent;
  convert_to_float16(model, options, silent);
  check_model(model, {.shapes = true});
  // Twice is once.
  const std::string once = to_onnx_text(model);
  convert_to_float16(model, options, silent);
  EXPECT_EQ(to_onnx_text(model), once);
  return model;
}

std::string body(const Model& model) {
  const std::string text = to_onnx_text(model);
  return text.substr(text.find("g ("));
}

TEST(Float16, CastsAtTheModelsEnds) {
  EXPECT_EQ(body(converted("g (float[2] x) => (float[2] y) { h = Relu (x)  y = Neg (h) }")),
            R"(g (float[2] x) => (float[2] y) 
   <float16[2] x_float16, float16[2] y_float16>
{
   [x_to_float16] x_float16 = Cast <to: int = 10> (x)
   h = Relu (x_float16)
   y_float16 = Neg (h)
   [y_float16_to_float32] y = Cast <to: int = 1> (y_float16)
})");
}

TEST(Float16, ConvertsWeightsAndDeclaredTypes) {
  const Model model = converted(R"(g (float[2] x) => (float[2] y)
      <float[2] w = {1.5, -3}, float[2] h> { h = Add (x, w)  y = Mul (h, w) })");
  EXPECT_THAT(body(model), HasSubstr("float16[2] w"));
  EXPECT_THAT(body(model), HasSubstr("float16[2] h"));
  const Array w = model.graph->initializers()[0]->payload()->load("w");
  EXPECT_EQ(w.dtype(), DataType::kFloat16);
  EXPECT_EQ(w.get_double(1), -3);
}

TEST(Float16, OtherTypesStay) {
  const char* text =
      "g (int64[2] x, double[2] d) => (int64[2] y, double[2] e) "
      "{ y = Add (x, x)  e = Neg (d) }";
  Model model = parse_onnx_text(text);
  Logger silent;
  convert_to_float16(model, {}, silent);
  EXPECT_TRUE(model.untouched());
}

TEST(Float16, NumbersStayFiniteAndKeepTheirSign) {
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<float> clamped;
  Float16Limits limits;
  limits.on_clamped = [&](std::string_view, float number) { clamped.push_back(number); };
  const auto values =
      owned_payload(Array::of<float>({8}, {1e-9f, -1e-9f, 1e9f, -2e9f, 0, inf, -inf, 9999}));
  const auto payload = float16_payload(values, limits);
  const Array half = payload->load("w");
  std::vector<double> numbers;
  for (int64_t i = 0; i < 8; ++i) numbers.push_back(half.get_double(i));
  const double tiny = 2 * 0x1p-24;
  EXPECT_THAT(numbers, ElementsAre(tiny, -tiny, 10000, -10000, 0, inf, -inf, 10000));
  (void)payload->load("w");
  EXPECT_THAT(clamped, ElementsAre(-2e9f));
}

TEST(Float16, BlockedOperatorsWorkInFloat32) {
  const Model model = converted(R"(g (float[1,1,2,2] x) => (float[1,1,4,4] y)
      <float[4] scales = {1, 1, 2.1, 2.1}, float[1] b = {1}>
      { h = Relu (x)  r = Resize (h, , scales)  m = Max (r, b)  y = Neg (m) })");
  EXPECT_THAT(ops(*model.graph),
              ElementsAre("Cast", "Relu", "Cast", "Resize", "Max", "Cast", "Neg", "Cast"));
  EXPECT_THAT(model.graph->initializers()[0]->payload()->load("s").get_double(2),
              testing::DoubleEq(2.1f));
}

TEST(Float16, AWeightThatBothNeedIsThereTwice) {
  const Model model = converted(R"(g (float[2] x) => (float[2] y) <float[2] w = {0.1, 2}>
      { a = Add (x, w)  b = Max (a, w)  y = Neg (b) })");
  EXPECT_THAT(names(model.graph->initializers()), ElementsAre("w", "w_float16"));
  EXPECT_EQ(model.graph->initializers()[0]->dtype(), DataType::kFloat32);
  EXPECT_EQ(model.graph->initializers()[1]->dtype(), DataType::kFloat16);
}

// An IR version that wants each weight among the inputs.
TEST(Float16, ASecondWeightIsAnInputOfOldModels) {
  const Model model = converted(R"(<ir_version: 3, opset_import: ["" : 9]>
      g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {0.1, 2}>
      { a = Add (x, w)  b = Max (a, w)  y = Neg (b) })");
  EXPECT_THAT(names(model.graph->initializers()), ElementsAre("w", "w_float16"));
  EXPECT_THAT(names(model.graph->inputs()), ElementsAre("x", "w", "w_float16"));
}

// Scales are small, and runtimes want them in the type of the numbers.
TEST(Float16, QuantizationStaysFloat32) {
  EXPECT_THAT(ops(*converted(R"(<ir_version: 11, opset_import: ["" : 23]>
      g (float[2] x) => (float[2] y) <float s = {1}, int8 z = {0}>
      { a = Relu (x)  q = QuantizeLinear (a, s, z)  d = DequantizeLinear (q, s, z)  y = Relu (d) })")
                       .graph),
              ElementsAre("Cast", "Relu", "Cast", "QuantizeLinear", "DequantizeLinear", "Cast",
                          "Relu", "Cast"));
}

TEST(Float16, WindowsAreMadeInFloat32) {
  EXPECT_THAT(ops(*converted(R"(g (float[8] x, int64 n) => (float[8] y)
      { w = HannWindow (n)  y = Mul (x, w) })")
                       .graph),
              ElementsAre("Cast", "HannWindow", "Cast", "Mul", "Cast"));
}

// 2049 is not a float16.
TEST(Float16, ArithmeticOnShapesStaysFloat32) {
  EXPECT_THAT(ops(*converted(R"(g (float[N] x) => (float[M] y) <float[1] half = {0.5}>
      { s = Shape (x)  f = Cast <to = 1> (s)  h = Mul (f, half)  i = Cast <to = 7> (h)
        z = Tile (x, i)  y = Neg (z) })")
                       .graph),
              ElementsAre("Cast", "Shape", "Cast", "Mul", "Cast", "Tile", "Neg", "Cast"));
}

// 4097 rows, and not 4096.
TEST(Float16, NumbersThatBecomeSizesStayFloat32) {
  const auto converted_ops = [](const char* text) { return ops(*converted(text).graph); };
  EXPECT_THAT(converted_ops(R"(g (float[1] rows, float[N] x) => (float[M] y, float[N] z)
      <float[1] half = {0.5}>
      { h = Mul (rows, half)  i = Cast <to = 7> (h)  c = ConstantOfShape (i)  y = Neg (c)
        z = Neg (x) })"),
              ElementsAre("Cast", "Mul", "Cast", "ConstantOfShape", "Neg", "Cast", "Neg", "Cast"));
  EXPECT_THAT(converted_ops(R"(g (float[1,1,N,M] x, float[2] s) => (float[A,B,C,D] y)
      <float[2] ones = {1, 1}>
      { twice = Add (s, s)  scales = Concat <axis = 0> (ones, twice)
        y = Resize (x, , scales) })"),
              ElementsAre("Add", "Concat", "Resize"));
  EXPECT_THAT(converted_ops(R"(g (float limit) => (float[N] y) <float zero = {0}, float one = {1}>
      { e = Ceil (limit)  r = Range (zero, e, one)  y = Neg (r) })"),
              ElementsAre("Ceil", "Range", "Cast", "Neg", "Cast"));
  EXPECT_THAT(converted_ops(R"(g (float[N] x) => (int64[1,M] y) <float limit = {0.1}>
      { g = Greater (x, limit)  y = NonZero (g) })"),
              ElementsAre("Greater", "NonZero"));
}

TEST(Float16, SizesThatANetworkComputesAreWarnedOf) {
  Model model = parse_onnx_text(R"(g (float[4,4] x) => (int64[2,M] y) <float limit = {0.1}>
      { m = MatMul (x, x)  g = Greater (m, limit)  [found] y = NonZero (g) })");
  std::vector<std::string> lines;
  Logger log;
  log.set_sink([&](polygraphy::Severity, std::string_view line) { lines.emplace_back(line); });
  convert_to_float16(model, {}, log);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("in 'found' (NonZero)")));
  EXPECT_THAT(ops(*model.graph), ElementsAre("Cast", "MatMul", "Greater", "NonZero"));
}

TEST(Float16, ConstantsThatAreCutHaveTheNameOfTheirOutput) {
  Float16Options options;
  std::string name;
  options.limits.on_clamped = [&](std::string_view tensor, float) { name = tensor; };
  Model model = parse_onnx_text(R"(g (float[1] x) => (float[1] y)
      { big = Constant <value = float[1] {1e8}> ()  y = Add (x, big) })");
  Logger silent;
  convert_to_float16(model, options, silent);
  static_cast<void>(to_onnx_text(model));
  EXPECT_EQ(name, "big");
}

TEST(Float16, WhatMayBeAnythingIsLeftAlone) {
  const Model model = converted(R"(<ir_version: 8, opset_import: ["" : 17, "mine" : 1]>
      g (float[2] x) => (float[2] y) <float[2] w = {1, 2}>
      { a = Neg (x)  b = mine.f (a)  c = Sub (b, w)  y = Neg (c) })");
  EXPECT_THAT(ops(*model.graph), ElementsAre("Cast", "Neg", "Cast", "f", "Sub", "Neg"));
}

TEST(Float16, KnowsWhatOperatorsTakeInTheModelsOpset) {
  const char* text = R"(<ir_version: 8, opset_import: ["" : %d]>
      g (float[2] x) => (float[2] y) <float s = {1}, int8 z = {0}>
      { q = QuantizeLinear (x, s, z)  d = DequantizeLinear (q, s, z)  y = Relu (d) })";
  const auto with_opset = [&](const char* opset) {
    std::string at(text);
    return at.replace(at.find("%d"), 2, opset);
  };
  Float16Options options;
  options.op_block_list.clear();
  EXPECT_THAT(ops(*converted(with_opset("13").c_str(), options).graph),
              ElementsAre("QuantizeLinear", "DequantizeLinear", "Cast", "Relu", "Cast"));
  EXPECT_THAT(ops(*converted(with_opset("19").c_str(), options).graph),
              ElementsAre("Cast", "QuantizeLinear", "DequantizeLinear", "Relu", "Cast"));
}

// From opset 23 on the standard has separate type variables for both.
TEST(Float16, OutputsFollowTheInputsThatTheyAreMadeLike) {
  Float16Options options;
  options.op_block_list.clear();
  EXPECT_THAT(ops(*converted(R"(<ir_version: 11, opset_import: ["" : 23]>
      g (int8[2] x, float s, float[2] f) => (float[2] y, float[2] z)
      { y = DequantizeLinear (x, s)  z = RandomNormalLike (f) })",
                             options)
                       .graph),
              ElementsAre("Cast", "Cast", "DequantizeLinear", "Cast", "RandomNormalLike", "Cast"));
}

TEST(Float16, NodesThatMakeFloatsMakeFloat16) {
  const Model model = converted(R"(g (int64[1] n, int64[3] i) => (float[N] y)
      { a = ConstantOfShape (n)
        b = ConstantOfShape <value = float[1] {2}> (n)
        c = Constant <value = float {3}> ()
        d = Constant <value_float = 4.0> ()
        e = Constant <value_floats = [5.0]> ()
        f = Cast <to = 1> (i)
        y = Sum (a, b, c, d, e, f) })");
  EXPECT_THAT(body(model), Not(HasSubstr("float[1]")));
  EXPECT_THAT(ops(*model.graph), testing::SizeIs(8));  // one Cast more
}

// ONNX Runtime has them on CPUs for float32 and float64 only.
TEST(Float16, RandomNumbersOfNoInputAreFloat32) {
  EXPECT_THAT(ops(*converted(R"(g (float[1] x) => (float[1] y)
      { n = RandomNormal <shape = [1]> ()  u = RandomUniform <shape = [1]> ()
        y = Sum (x, n, u) })")
                       .graph),
              ElementsAre("Cast", "RandomNormal", "Cast", "RandomUniform", "Cast", "Sum", "Cast"));
}

TEST(Float16, AConstantNodeKeepsItsDigitsForThoseWhoNeedThem) {
  const Model model = converted(R"(g (float[1] x) => (float[1] y)
      { c = Constant <value = float[1] {0.1}> ()  m = Max (x, c)  n = Mul (m, c)  y = Neg (n) })");
  EXPECT_THAT(body(model), HasSubstr("value: tensor = float[1] {0.1}"));
  EXPECT_THAT(ops(*model.graph),
              ElementsAre("Constant", "Cast", "Max", "Cast", "Mul", "Neg", "Cast"));
}

TEST(Float16, WhoeverTakesAnythingGetsNoCast) {
  EXPECT_THAT(ops(*converted("g (float[2] x) => (int64[1] s, int32[2] i) "
                             "{ s = Shape (x)  i = Cast <to = 6> (x) }")
                       .graph),
              ElementsAre("Shape", "Cast"));
}

TEST(Float16, ConvertsSubgraphs) {
  const Model model = converted(R"(g (bool c, float[2] x) => (float[2] y) <float[2] w = {1, 2}>
      { h = Neg (x)
        y = If (c) <then_branch = t () => (float[2] a) { a = Add (h, w) },
                    else_branch = e () => (float[2] b) { b = Max (h, w) }> })");
  const auto branches = model.graph->nodes()[3]->subgraphs();
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_THAT(ops(*branches[0]), ElementsAre("Add"));
  EXPECT_THAT(ops(*branches[1]), ElementsAre("Max", "Cast"));
  EXPECT_EQ(branches[0]->outputs()[0]->dtype(), DataType::kFloat16);
}

TEST(Float16, ConvertsWhatLoopsCarry) {
  const Model model = converted(R"(g (int64 n, bool c, float[2] x) => (float[2] y, float[M,2] all)
      { y, all = Loop (n, c, x) <body = b (int64 i, bool k, float[2] s)
                                      => (bool l, float[2] t, float[2] each)
                                 { l = Identity (k)  t = Add (s, s)  each = Max (t) }> })");
  const auto body = model.graph->nodes()[1]->subgraphs()[0];
  EXPECT_EQ(body->inputs()[2]->dtype(), DataType::kFloat16);
  EXPECT_THAT(ops(*body), ElementsAre("Identity", "Add", "Cast", "Max", "Cast"));
}

TEST(Float16, CallsOfFunctionsStayFloat32) {
  const Model model = converted(R"(<ir_version: 8, opset_import: ["" : 17, "mine" : 1]>
    g (float[2] x) => (float[2] y) { a = Neg (x)  b = mine.f (a)  y = Neg (b) }
    <domain: "mine", opset_import: ["" : 17]> f (a) => (r)
    { one = Constant <value_float = 1.0> ()  r = Add (a, one) })");
  EXPECT_THAT(ops(*model.graph), ElementsAre("Cast", "Neg", "Cast", "f", "Cast", "Neg", "Cast"));
}

TEST(Float16, SequencesStayFloat32) {
  const Model model = converted(R"(g (float[2] x, int64 i) => (float[2] y)
      { a = Neg (x)  s = SequenceConstruct (a, a)  e = SequenceAt (s, i)  y = Neg (e) })");
  EXPECT_THAT(ops(*model.graph), ElementsAre("Cast", "Neg", "Cast", "SequenceConstruct",
                                             "SequenceAt", "Cast", "Neg", "Cast"));
}

// Before IR version 4 every weight is listed as an input.
TEST(Float16, WeightsThatAreListedAsInputsAreWeights) {
  const Model model = converted(R"(<ir_version: 3, opset_import: ["" : 9]>
      g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> { y = Add (x, w) })");
  EXPECT_THAT(ops(*model.graph), ElementsAre("Cast", "Add", "Cast"));
  EXPECT_EQ(model.graph->inputs()[1]->dtype(), DataType::kFloat16);
}

TEST(Float16, DefaultsOfInputsKeepTheirType) {
  const Model model = converted(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> { y = Add (x, w) })");
  EXPECT_THAT(ops(*model.graph), ElementsAre("Cast", "Cast", "Add", "Cast"));
  EXPECT_EQ(model.graph->inputs()[1]->dtype(), DataType::kFloat32);
}

TEST(Float16, AnOutputThatIsUsedInside) {
  const Model model =
      converted("g (float[2] x) => (float[2] y, float[2] z) { y = Neg (x)  z = Relu (y) }");
  EXPECT_THAT(ops(*model.graph), ElementsAre("Cast", "Neg", "Cast", "Relu", "Cast"));
}

TEST(Float16, InputsAndWeightsThatAreHandedThrough) {
  const Model model = converted(
      "g (float[2] x) => (float[2] x, float[2] w, float[2] y) <float[2] w = {1, 2}> "
      "{ y = Add (x, w) }");
  EXPECT_EQ(model.graph->outputs()[1]->dtype(), DataType::kFloat32);
  EXPECT_THAT(names(model.graph->initializers()), ElementsAre("w", "w_float16"));
}

TEST(Float16, NamesThatAreTakenAreLeftAlone) {
  const Model model =
      converted("g (float[2] x, int64[1] x_float16) => (float[2] y) { y = Neg (x) }");
  EXPECT_EQ(model.graph->nodes()[0]->outputs()[0]->name(), "x_float16_1");
}

TEST(Float16, CastsAreImportedAndOfTheModelsOpset) {
  const Model other = converted(R"(<ir_version: 8, opset_import: ["mine" : 1]>
      g (float[2] x) => (float[2] y) { y = mine.Twice (x) })");
  EXPECT_EQ(other.opset(), 13);
  const Model old = converted(R"(<ir_version: 3, opset_import: ["" : 5]>
      g (float[2] x) => (float[2] y) { y = Neg (x) })");
  EXPECT_THAT(body(old), HasSubstr("Cast <to: string = \"FLOAT16\"> (x)"));
}

TEST(Float16, ReductionsWhileScatteringAreDoneInFloat32) {
  EXPECT_THAT(ops(*converted(R"(g (float[2] x, int64[1,1] i, float[1] u) => (float[2] y)
      { a = Neg (x)  y = ScatterND <reduction = "max"> (a, i, u) })")
                       .graph),
              ElementsAre("Cast", "Neg", "Cast", "ScatterND"));
}

TEST(Float16, NodesCanBeBlockedByName) {
  Float16Options options;
  options.node_block_list = {"n"};
  EXPECT_THAT(
      ops(*converted("g (float[2] x) => (float[2] y) { [n] h = Neg (x)  y = Relu (h) }", options)
               .graph),
      ElementsAre("Neg", "Cast", "Relu", "Cast"));
}

TEST(Float16, NodesAreKeptWhateverTheirNames) {
  Model model = parse_onnx_text("g (float[2] x) => (float[2] y) { h = Neg (x)  y = Neg (h) }");
  Logger silent;
  EXPECT_THAT(nodes_in_float16(model, {}, silent), ElementsAre(0, 1));
  Float16Options options;
  options.kept_nodes = {model.graph->nodes()[1].get()};
  EXPECT_THAT(nodes_in_float16(model, options, silent), ElementsAre(0));
  convert_to_float16(model, options, silent);
  EXPECT_THAT(ops(*model.graph), ElementsAre("Cast", "Neg", "Cast", "Neg"));
}

TEST(Float16, TellsWhichNodesWouldWorkInIt) {
  const Model model = parse_onnx_text(R"(g (float[2,N] x, int64[1] i) => (float[2,M] y)
      { two = Constant <value_float = 2.0> ()  s = Shape (x)  j = Neg (i)  m = Mul (x, two)
        k = Cast <to = 1> (i)  a = Add (m, k)  y = Max (a) })");
  Logger silent;
  EXPECT_THAT(nodes_in_float16(model, {}, silent), ElementsAre(3, 4, 5));
}

}  // namespace
}  // namespace graphsurgeon
