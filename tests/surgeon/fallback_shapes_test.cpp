#include "polygraphy/model_tools/surgeon/fallback_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "built_runtime.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/payloads/sparse_payload.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/model_tools/surgeon/observe_shapes.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/instance.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;
using graphsurgeon::TensorRef;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class FallbackShapes : public testing::Test {
 protected:
  // "x [dtype=…, shape=…]" of the named tensors; of all tensors without names.
  std::string observe(const Model& model, const std::vector<std::string>& names = {},
                      DataLoaderOptions options = {}) {
    std::vector<TensorRef> tensors;
    const auto map = model.graph->tensor_map();
    for (const std::string& name : names) tensors.emplace_back(map.at(name));
    if (names.empty()) tensors = observable_tensors(model);
    const auto feeds = generated_feeds(std::move(options), log_.log());
    return to_text(observe_shapes(runtime_, model, tensors, *feeds, log_.log()));
  }
  std::string observe(std::string_view text, const std::vector<std::string>& names = {},
                      DataLoaderOptions options = {}) {
    return observe(parse_onnx_text(text), names, std::move(options));
  }
  static DataLoaderOptions shapes(const std::vector<std::string>& texts) {
    DataLoaderOptions options;
    options.shapes = parse_metadata(texts, {});
    return options;
  }

  RecordingLog log_;
  BundledRuntime runtime_{built_paths(), log_.log()};
};

// The shape of y depends on values: no inference finds it.
constexpr std::string_view kValueDependent =
    "<ir_version: 8, opset_import: [\"\": 17]> g (float[N,4] x) => (y) {"
    " a = Relu (x)  y = NonZero (a)  s = Shape (y)  u = Cast <to: int = 11> (a) }";

// ONNX Runtime gives no such outputs.
TEST_F(FallbackShapes, OfConstantsInSparseForm) {
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 2, 2] x) => (y) { c = Constant () y = Add (x, c) })");
  const auto part = [](Array values) {
    return graphsurgeon::DecodedTensor{"", graphsurgeon::owned_payload(std::move(values)), {}};
  };
  graphsurgeon::Attribute sparse;
  sparse.name = "sparse_value";
  sparse.type = graphsurgeon::AttributeType::kSparseTensor;
  sparse.value = graphsurgeon::TensorValue{
      {},
      std::make_shared<graphsurgeon::SparsePayload>(
          DataType::kFloat32, Shape{2, 2, 2}, part(Array::of<float>({1}, {5})),
          part(Array::of<int64_t>({1}, {3})), std::string_view(), nullptr),
      {}};
  model.graph->nodes()[0]->set_attribute(std::move(sparse));
  EXPECT_EQ(observe(model),
            "{x [dtype=float32, shape=(2, 2, 2)],\n"
            " c [dtype=float32, shape=(2, 2, 2)],\n"
            " y [dtype=float32, shape=(2, 2, 2)]}");
}

TEST_F(FallbackShapes, AreWhatWasSeen) {
  EXPECT_EQ(observe(kValueDependent, {}, shapes({"x:[3,4]"})),
            "{x [dtype=float32, shape=(3, 4)],\n"
            " a [dtype=float32, shape=(3, 4)],\n"
            " y [dtype=int64, shape=(2, 12)],\n"
            " s [dtype=int64, shape=(2,)],\n"
            " u [dtype=float64, shape=(3, 4)]}");
}

TEST_F(FallbackShapes, OnlyOfWhatIsAskedInThatOrder) {
  EXPECT_EQ(observe(kValueDependent, {"y", "x"}),
            "{y [dtype=int64, shape=(2, 4)],\n x [dtype=float32, shape=(1, 4)]}");
}

TEST_F(FallbackShapes, SayOnWhatTheModelWasRun) {
  observe(kValueDependent, {"y"});
  EXPECT_THAT(log_.messages(),
              ElementsAre(HasSubstr("[W] Input tensor: x [shape=BoundedShape(['N', 4], min=None, "
                                    "max=None)] | Will generate data of shape: [1, 4]."),
                          "[I] Running fallback shape inference using input metadata:\n"
                          "    {x [dtype=float32, shape=(1, 4)]}"));
}

TEST_F(FallbackShapes, SayMoreToThoseWhoAsk) {
  log_.log().set_severity(Severity::kVerbose);
  observe(kValueDependent, {"y"});
  EXPECT_TRUE(log_.has(
      "[I] Creating ONNX-Runtime Inference Session with providers: ['CPUExecutionProvider']"));
  EXPECT_EQ(log_.log().severity("any"), Severity::kVerbose);
}

TEST_F(FallbackShapes, UseRangesAndSeeds) {
  DataLoaderOptions zeros = shapes({"x:[2,4]"});
  zeros.val_range.set("", {0, 0});
  EXPECT_EQ(observe(kValueDependent, {"y"}, zeros), "{y [dtype=int64, shape=(2, 0)]}");
}

TEST_F(FallbackShapes, OfSavedInputs) {
  const TemporaryFolder folder;
  InputWriter writer(folder / "in.json", log_.log());
  writer.add({{"x", Array::of<float>({2, 4}, {0, 1, 0, 1, 1, 0, 0, 0})}});
  writer.finish();
  const auto feeds = saved_feeds({folder / "in.json"}, log_.log());
  const Model model = parse_onnx_text(kValueDependent);
  const std::vector<TensorRef> y = {model.graph->outputs()[0]};
  EXPECT_EQ(to_text(observe_shapes(runtime_, model, y, *feeds, log_.log())),
            "{y [dtype=int64, shape=(2, 3)]}");
  // There was one only.
  EXPECT_THAT(error_of([&] { observe_shapes(runtime_, model, y, *feeds, log_.log()); }),
              HasSubstr("no input data"));
}

TEST_F(FallbackShapes, ConstantsNeedNoRun) {
  const Model model = parse_onnx_text(
      "<ir_version: 8, opset_import: [\"\": 17, \"mine\": 1]> "
      "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = mine.Unheard (x, w) }");
  EXPECT_EQ(observe(model, {"w"}), "{w [dtype=float32, shape=(2,)]}");
  EXPECT_EQ(runtime_.sessions(), 0);
}

TEST_F(FallbackShapes, WhatIsNoTensorIsLeftOut) {
  EXPECT_EQ(observe("<ir_version: 8, opset_import: [\"\": 17]> g (float[2] x) => (y) {"
                    " s = SequenceConstruct (x, x)  y = SequenceLength (s)"
                    " o = Optional <type = float[2]> () }"),
            "{x [dtype=float32, shape=(2,)],\n y [dtype=int64, shape=()]}");
}

TEST_F(FallbackShapes, OmittedOutputsAreNone) {
  EXPECT_EQ(observe("<ir_version: 8, opset_import: [\"\": 17]> g (float[5,1,2] x) => (h) "
                    "<float[1,2,2] w = {1, 2, 3, 4}> {"
                    " \"\", h = RNN <hidden_size: int = 2> (x, w, w) }"),
            "{x [dtype=float32, shape=(5, 1, 2)],\n h [dtype=float32, shape=(1, 1, 2)]}");
}

TEST_F(FallbackShapes, OfVariablesThatNothingProduces) {
  const Model model = parse_onnx_text("g (float[2] x) => (float[2] y) { y = Neg (x) }");
  const TensorRef stray = graphsurgeon::Tensor::variable(model.graph->store(), "stray");
  const auto feeds = generated_feeds({}, log_.log());
  log_.log().set_severity(Severity::kVerbose);
  EXPECT_EQ(to_text(observe_shapes(runtime_, model, {stray}, *feeds, log_.log())), "{}");
  EXPECT_TRUE(log_.has("[V] Tensor: stray | No shape was observed"));
}

TEST_F(FallbackShapes, LeaveTheModelUntouched) {
  const TemporaryFolder folder;
  const std::string path = folder / "m.onnx";
  graphsurgeon::save_model(parse_onnx_text(kValueDependent), path);
  const Model model = graphsurgeon::load_model(path);
  observe(model);
  EXPECT_TRUE(model.untouched());
}

TEST_F(FallbackShapes, ModelsWithExternalDataAreReadWhereTheyLie) {
  const TemporaryFolder folder;
  const std::string path = folder / "m.onnx";
  graphsurgeon::SaveOptions options;
  options.external_data = "";
  options.external_data_threshold = 0;
  graphsurgeon::save_model(
      parse_onnx_text("g (float[N] x) => (float[M] y) <float[3] w = {1, 2, 3}> {"
                      " y = Concat <axis: int = 0> (x, w) }"),
      path, options);
  EXPECT_EQ(observe(graphsurgeon::load_model(path), {"y"}), "{y [dtype=float32, shape=(4,)]}");
}

TEST_F(FallbackShapes, SayWhyTheModelDidNotRun) {
  EXPECT_THAT(error_of([&] {
                observe("g (float[2] x, int64[1] i) => (y) { y = Gather <axis: int = 0> (x, i) }",
                        {"y"}, [] {
                          DataLoaderOptions options;
                          options.val_range.set("i", {7, 7});
                          return options;
                        }());
              }),
              AllOf(HasSubstr("cannot determine shapes by running the model: "),
                    HasSubstr("idx=7 must be within the inclusive range")));
}

TEST_F(FallbackShapes, AreWrittenIntoTheModel) {
  Model model = parse_onnx_text(kValueDependent);
  const auto feeds = generated_feeds(shapes({"x:[3,4]"}), log_.log());
  const Metadata observed =
      observe_shapes(runtime_, model, observable_tensors(model), *feeds, log_.log());
  EXPECT_EQ(apply_shapes(model, observed), 5u);
  EXPECT_EQ(apply_shapes(model, observed), 0u);
  EXPECT_THAT(to_onnx_text(model), AllOf(HasSubstr("float[3,4] x"), HasSubstr("int64[2,12] y"),
                                         HasSubstr("double[3,4] u")));
}

}  // namespace
}  // namespace polygraphy
