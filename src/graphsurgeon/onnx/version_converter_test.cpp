#include "graphsurgeon/onnx/version_converter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(VersionConverter, MovesToNewerForms) {
  const Model model = parse_onnx_text(R"(
    <ir_version: 8, opset_import: ["" : 11]>
    g (float[2, 1, 3] x) => (float[2, 3] y) { y = Squeeze <axes = [1]> (x) })");
  const Model converted = convert_version(model, 13);
  EXPECT_EQ(converted.opset(), 13);
  EXPECT_EQ(model.opset(), 11);
  const Node& squeeze = *converted.graph->nodes().back();
  EXPECT_EQ(squeeze.op(), "Squeeze");
  EXPECT_EQ(squeeze.inputs().size(), 2u);
  EXPECT_EQ(squeeze.attribute("axes"), nullptr);
  EXPECT_NO_THROW(check_model(converted));
}

// Weights of 2 MiB, in an initializer and in a Constant node.
TEST(VersionConverter, SharesPayloads) {
  Model model = parse_onnx_text(R"(
    <ir_version: 8, opset_import: ["" : 11]>
    g (float[1, 512] x) => (float[1, 1024] y) {
      k = Constant <value = float[2] {1, 2}> ()
      a = MatMul (x, k)
      y = MatMul (x, w)
    })");
  Store& store = model.graph->store();
  const PayloadPtr weights = owned_payload(Array::zeros(DataType::kFloat32, {512, 1024}));
  const TensorRef weight = Tensor::constant(store, "w", weights);
  model.graph->nodes()[2]->inputs().set(1, weight);
  model.graph->mutable_initializers().push_back(weight);
  Attribute value = *model.graph->nodes()[0]->attribute("value");
  value.encoded = {};
  value.value = TensorValue{{}, weights, {}};
  model.graph->nodes()[0]->set_attribute(value);

  const Model converted = convert_version(model, 17);
  ASSERT_EQ(converted.graph->initializers().size(), 1u);
  EXPECT_EQ(converted.graph->initializers()[0]->payload(), weights);
  EXPECT_EQ(std::get<TensorValue>(converted.graph->nodes()[0]->attribute("value")->value).values,
            weights);
  EXPECT_EQ(model.graph->initializers()[0]->payload(), weights);
}

TEST(VersionConverter, KeepsLocalFunctions) {
  const Model converted = convert_version(parse_onnx_text(R"(
    <ir_version: 10, opset_import: ["" : 18, "local" : 1]>
    g (float[2] x) => (float[2] y) { a = Relu (x) y = local.Twice (a) }
    <domain: "local", opset_import: ["" : 18]>
    Twice (v) => (w) { w = Add (v, v) })"),
                                          20);
  ASSERT_EQ(converted.functions.size(), 1u);
  EXPECT_EQ(converted.functions[0]->name(), "Twice");
  EXPECT_EQ(converted.opset(), 20);
}

TEST(VersionConverter, StampsAVersionThatAllowsTheNewInitializers) {
  const Model converted = convert_version(parse_onnx_text(R"(
    <ir_version: 3, opset_import: ["" : 9]>
    g (float[1, 1, 2, 2] x) => (float[1, 1, 4, 4] y) { y = Pad <pads = [0, 0, 1, 1, 0, 0, 1, 1]> (x) })"),
                                          13);
  EXPECT_GE(converted.ir_version, 4);
  EXPECT_NO_THROW(check_model(converted));
}

TEST(VersionConverter, SaysWhatItCannotConvert) {
  const auto problem = [](const char* text, int64_t version) -> std::string {
    try {
      convert_version(parse_onnx_text(text), version);
    } catch (const polygraphy::Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(problem(R"(<ir_version: 10, opset_import: ["" : 20]>
                g (float[2] x) => (float[2] y) { y = Gelu (x) })",
                      13),
              AllOf(HasSubstr("cannot be converted from opset 20 to 13"), HasSubstr("Gelu"),
                    Not(HasSubstr("Assertion"))));
  EXPECT_THAT(problem(R"(<ir_version: 10, opset_import: ["ai.onnx.ml" : 3]>
                g (float[2, 2] x) => (float[2, 2] y) { y = ai.onnx.ml.Normalizer (x) })",
                      13),
              HasSubstr("imports no version of the default domain"));
  EXPECT_THAT(problem("g (float x) => (float y) { y = Relu (x) }", 0),
              HasSubstr("unknown opset 0"));
}

}  // namespace
}  // namespace graphsurgeon
