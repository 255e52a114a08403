#include "polygraphy/models/parts/part_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy {
namespace {

using graphsurgeon::parse_onnx_text;
using graphsurgeon::to_onnx_text;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[N,2] x) => (float[M] y) <float[2] w = {1, 2}> {
    [a] a = Mul(x, w)
    [b] s = Shape(a)
    [c] e = Exp(a)
    [d] y = Expand(e, s)
  })";

ArrayMap sample(int64_t rows) {
  ArrayMap values;
  values.set("a", Array::zeros(DataType::kFloat32, {rows, 2}));
  values.set("s", Array::of<int64_t>({2}, {rows, 2}));
  return values;
}

std::string text_of(const NodePart& part, const std::vector<ArrayMap>& values) {
  graphsurgeon::Model model = parse_onnx_text(kModel);
  Logger quiet;
  graphsurgeon::infer_shapes(model, {}, quiet);
  const graphsurgeon::Model made = part_model(model, part, values);
  graphsurgeon::check_model(made);
  return to_onnx_text(made);
}

TEST(PartModel, ReadsWhatOthersMakeAndReturnsWhatOthersRead) {
  const std::string text = text_of({0, 2}, {[] {
                                     ArrayMap values = sample(3);
                                     values.set("x", Array::zeros(DataType::kFloat32, {3, 2}));
                                     return values;
                                   }()});
  EXPECT_THAT(text, HasSubstr("(float[3,2] x) => (float"));
  EXPECT_THAT(text, HasSubstr("[a] a = Mul (x, w)"));
  EXPECT_THAT(text, HasSubstr("[c] e = Exp (a)"));
  EXPECT_THAT(text, Not(HasSubstr("Shape")));
}

TEST(PartModel, ShortListsOfIntegersAreConstants) {
  ArrayMap values = sample(3);
  values.set("e", Array::zeros(DataType::kFloat32, {3, 2}));
  const std::string text = text_of({3}, {values});
  EXPECT_THAT(text, HasSubstr("(float[3,2] e) => (float[M] y)"));
  EXPECT_THAT(text, HasSubstr("int64[2] s"));
}

TEST(PartModel, ConstantsAreTheSameInAllSamples) {
  std::vector<ArrayMap> values = {sample(3), sample(4)};
  for (ArrayMap& one : values) one.set("e", *one.find("a"));
  const std::string text = text_of({3}, values);
  EXPECT_THAT(text, HasSubstr("int64[2] s"));
  EXPECT_THAT(text, HasSubstr("float[?,2] e"));
}

TEST(PartModel, RefusesToCutAtAValueWithoutATensor) {
  EXPECT_THAT([] { text_of({2}, {ArrayMap{}}); },
              ThrowsMessage<Error>(HasSubstr("cannot be cut into parts at 'a'")));
}

TEST(PartModel, SequencesThatAreFedAreInputs) {
  const graphsurgeon::Model whole =
      graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (seq(float[2]) q, int64 i) => (float[2] y) { [at] y = SequenceAt (q, i) })");
  const ArrayMap known = {{"i", Array::of<int64_t>({}, {0})}};
  const ValueMap fed = {{"q", Value(Value::Sequence{})}};
  const graphsurgeon::Model part = part_model(whole, {0}, {known}, fed);
  EXPECT_EQ(part.graph->inputs().front()->type_kind(), graphsurgeon::TypeKind::kSequence);
  EXPECT_THROW(part_model(whole, {0}, {known}), Error);
}

}  // namespace
}  // namespace polygraphy
