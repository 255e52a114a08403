#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "built_runtime.h"
#include "polygraphy/runtimes/backend/default_evaluator.h"
#include "polygraphy/runtimes/backend/onnxrt_evaluator.h"

namespace polygraphy {
namespace {

using graphsurgeon::parse_onnx_text;
using testing::AllOf;
using testing::HasSubstr;

class OnnxrtEvaluatorTest : public testing::Test {
 protected:
  std::vector<std::string> evaluate(std::string_view text,
                                    std::vector<std::pair<std::string, Array>> feeds) {
    std::vector<std::string> results;
    for (const Array& array : evaluator_.evaluate(parse_onnx_text(text), feeds)) {
      results.push_back(describe(array));
    }
    return results;
  }

  RecordingLog log_;
  OnnxrtEvaluator evaluator_{built_paths(), log_.log()};
};

using Texts = std::vector<std::string>;

TEST_F(OnnxrtEvaluatorTest, GivesTheOutputsInTheirOrder) {
  EXPECT_EQ(evaluate("g (float[2] x, float[2] y) => (float[2] d, float[2] s) {"
                     " s = Add (x, y)  d = Sub (x, y) }",
                     {{"y", Array::of<float>({2}, {1, 2})}, {"x", Array::of<float>({2}, {5, 7})}}),
            (Texts{"float32 (2,) [4. 5.]", "float32 (2,) [6. 9.]"}));
  EXPECT_THAT(log_.messages(), testing::IsEmpty());
}

TEST_F(OnnxrtEvaluatorTest, OpensNothingBeforeItIsAsked) {
  PluginPaths nowhere;
  nowhere.plugin_dirs = {"/nowhere"};
  OnnxrtEvaluator evaluator(nowhere, log_.log());
  EXPECT_THAT(error_of([&] { evaluator.evaluate(parse_onnx_text("g () => () {}"), {}); }),
              AllOf(HasSubstr("onnxrt is not available"), HasSubstr("/nowhere")));
  EXPECT_EQ(evaluator.sessions(), 0);
}

TEST_F(OnnxrtEvaluatorTest, IsOneSessionPerCall) {
  const graphsurgeon::Model model =
      parse_onnx_text("g (float[2] x) => (float[2] z) { y = Neg (x)  z = Abs (y) }");
  evaluator_.evaluate(model, {{"x", Array::of<float>({2}, {1, 2})}});
  evaluator_.evaluate(model, {{"x", Array::of<float>({2}, {1, 2})}});
  EXPECT_EQ(evaluator_.sessions(), 2);
}

// A Loop that has no end, and doubles its tensor.
std::string error_of_loop(Array x, CallLimits limits, Logger& log) {
  const graphsurgeon::Model model = parse_onnx_text(
      "<ir_version: 8, opset_import: [\"\": 16]> "
      "g (int64 trips, bool go, float[N] x) => (float[M] y) {"
      "  y = Loop (trips, go, x) <body = b (int64 i, bool on, float[K] v) => (bool still, float[L] "
      "w)"
      "    { still = Identity (on)  w = Concat <axis: int = 0> (v, v) }>"
      "}");
  OnnxrtEvaluator evaluator(built_paths(), log, {}, limits);
  return error_of([&] {
    evaluator.evaluate(model, {{"trips", Array::of<int64_t>({}, {int64_t{1} << 62})},
                               {"go", Array::of<bool>({}, {true})},
                               {"x", std::move(x)}});
  });
}

TEST_F(OnnxrtEvaluatorTest, ALoopWithoutEndIsStopped) {
  const Array nothing = Array::uninitialized(DataType::kFloat32, {0});
  EXPECT_EQ(error_of_loop(nothing, {.seconds = 0.3}, log_.log()),
            "stopped, since it took more than 0.3 s");
}

TEST_F(OnnxrtEvaluatorTest, ALoopThatGrowsIsStopped) {
  const Array one = Array::of<float>({1}, {1});
  EXPECT_EQ(error_of_loop(one, {.bytes = uint64_t{256} << 20}, log_.log()),
            "stopped, since it took more than 256 MiB of memory");
}

TEST_F(OnnxrtEvaluatorTest, Strings) {
  EXPECT_EQ(evaluate("<ir_version: 9, opset_import: [\"\": 20]> "
                     "g (string[N] x, string y) => (string[N] z) { z = StringConcat (x, y) }",
                     {{"x", Array::from_strings({2}, {"a", "\xc3\xa9"})},
                      {"y", Array::from_strings({}, {"!"})}}),
            Texts{"string (2,) ['a!' '\xc3\xa9!']"});
}

TEST_F(OnnxrtEvaluatorTest, NarrowTypes) {
  Array four = Array::uninitialized(DataType::kInt4, {3});
  std::memcpy(four.mutable_data(), "\x2f\x07", 2);
  EXPECT_EQ(evaluate("<ir_version: 10, opset_import: [\"\": 21]> "
                     "g (int4[3] x) => (float16[3] y) { y = Cast <to: int = 10> (x) }",
                     {{"x", four}}),
            Texts{"float16 (3,) [-1.  2.  7.]"});
}

TEST_F(OnnxrtEvaluatorTest, TypesThatTheRuntimeHasNot) {
  EXPECT_EQ(error_of([&] {
              evaluate("g (complex64[1] x) => (complex64[1] y) { y = Identity (x) }",
                       {{"x", Array::zeros(DataType::kComplex64, {1})}});
            }),
            "tensor 'x' has type complex64, which ONNX Runtime does not support");
}

TEST_F(OnnxrtEvaluatorTest, OutputsThatAreNoTensors) {
  EXPECT_THAT(error_of([&] {
                evaluate("g (float[2] x) => (seq(float[N]) s) { s = SequenceConstruct (x) }",
                         {{"x", Array::of<float>({2}, {1, 2})}});
              }),
              HasSubstr("ONNX Runtime returned no tensor for 's'"));
}

TEST_F(OnnxrtEvaluatorTest, SaysWhatTheRuntimeSaid) {
  EXPECT_THAT(error_of([&] {
                evaluate(
                    "<ir_version: 8, opset_import: [\"\": 17, \"mine\": 1]> "
                    "g (float[2] x) => (float[2] y) { y = mine.Unheard (x) }",
                    {{"x", Array::of<float>({2}, {1, 2})}});
              }),
              HasSubstr("Unheard"));
}

// A runtime hands an output that is an input back as it is: it must outlive the feed.
TEST_F(OnnxrtEvaluatorTest, ResultsDoNotReferToFeeds) {
  std::vector<float> bytes(64 * 1024, 1.5f);
  const Shape shape{static_cast<int64_t>(bytes.size())};
  const Array x = Array::view(DataType::kFloat32, shape, bytes.data(), nullptr);
  const graphsurgeon::Model model =
      parse_onnx_text("g (float[N] x) => (float[N] x, float[N] y) { y = Identity (x) }");
  const std::vector<Array> results = evaluator_.evaluate(model, {{"x", x}});
  bytes.assign(bytes.size(), 7.f);
  EXPECT_EQ(results[0].get_double(0), 1.5);
  EXPECT_EQ(results[1].get_double(0), 1.5);
}

TEST_F(OnnxrtEvaluatorTest, FeedsAtAnyAddress) {
  std::vector<char> bytes(1 + 2 * sizeof(double));
  const double values[] = {0.25, -3};
  std::memcpy(bytes.data() + 1, values, sizeof(values));
  const Array x = Array::view(DataType::kFloat64, {2}, bytes.data() + 1, nullptr);
  EXPECT_EQ(evaluate("g (double[2] x) => (double[2] y) { y = Abs (x) }", {{"x", x}}),
            Texts{"float64 (2,) [0.25 3.  ]"});
}

TEST_F(OnnxrtEvaluatorTest, FunctionsSubgraphsAndNoInputs) {
  EXPECT_EQ(evaluate("<ir_version: 8, opset_import: [\"\": 17, \"f\": 1]> "
                     "g () => (float[1] y) { c = Constant <value: tensor = bool {1}> () "
                     "y = If (c) <then_branch = t () => (float[1] a) "
                     "{ b = Constant <value: tensor = float[1] {3}> ()  a = f.Twice (b) }, "
                     "else_branch = e () => (float[1] a) "
                     "{ a = Constant <value: tensor = float[1] {4}> () }> } "
                     "<domain: \"f\", opset_import: [\"\": 17]> Twice (x) => (y) "
                     "{ y = Add (x, x) }",
                     {}),
            Texts{"float32 (1,) [6.]"});
}

// IR version and opset of tomorrow: the runtime gets what the operators need, the model stays.
TEST_F(OnnxrtEvaluatorTest, VersionsNewerThanTheRuntime) {
  graphsurgeon::Model model = parse_onnx_text(
      "<ir_version: 14, opset_import: [\"\": 28, \"f\": 1]> "
      "g (float[2] x) => (float[2] y) { y = f.Minus (x) } "
      "<domain: \"f\", opset_import: [\"\": 28]> Minus (x) => (y) { y = Neg (x) }");
  const std::vector<Array> results =
      evaluator_.evaluate(model, {{"x", Array::of<float>({2}, {1, 2})}});
  EXPECT_EQ(describe(results.at(0)), "float32 (2,) [-1. -2.]");
  EXPECT_EQ(model.ir_version, 14);
  EXPECT_EQ(model.opset(), 28);
  EXPECT_EQ(model.functions[0]->opset_imports[0].version, 28);
}

TEST_F(OnnxrtEvaluatorTest, StopsWhenAsked) {
  const std::atomic<bool> stop = true;
  OnnxrtEvaluator evaluator(built_paths(), log_.log(), &stop);
  EXPECT_EQ(error_of([&] {
              evaluator.evaluate(parse_onnx_text("g (float[2] x) => (float[2] y) { y = Neg (x) }"),
                                 {{"x", Array::of<float>({2}, {1, 2})}});
            }),
            "interrupted");
}

TEST_F(OnnxrtEvaluatorTest, UserChoicesOfRuntimesDoNotCount) {
  PluginPaths paths = built_paths();
  paths.site_packages = {"/nowhere"};
  paths.library_env = {{"onnxrt", "/nowhere/libonnxruntime.so"}};
  OnnxrtEvaluator evaluator(paths, log_.log());
  EXPECT_EQ(evaluator
                .evaluate(parse_onnx_text("g (float[2] x) => (float[2] y) { y = Neg (x) }"),
                          {{"x", Array::of<float>({2}, {1, 2})}})
                .size(),
            1u);
}

TEST_F(OnnxrtEvaluatorTest, ItsMessagesAreForThoseWhoAsk) {
  RecordingLog verbose(Severity::kVerbose);
  OnnxrtEvaluator evaluator(built_paths(), verbose.log());
  evaluator.evaluate(parse_onnx_text("g (float[2] x) => (float[2] y) { y = Neg (x) }"),
                     {{"x", Array::of<float>({2}, {1, 2})}});
  EXPECT_TRUE(verbose.has("[V] Creating ONNX-Runtime Inference Session"));
}

TEST(DefaultEvaluator, NeedsATreeOnly) {
  RecordingLog log;
  const auto evaluator = default_evaluator(log.log(), PG_BINARY_DIR);
  EXPECT_EQ(describe(evaluator->evaluate(
                parse_onnx_text("g (int64[2] x) => (int64[2] y) { y = Neg (x) }"),
                {{"x", Array::of<int64_t>({2}, {1, 2})}})[0]),
            "int64 (2,) [-1 -2]");
}

}  // namespace
}  // namespace polygraphy
