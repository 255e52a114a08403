#include "polygraphy/model_tools/inspect/tensor_text.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/error.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::DimList;
using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::Tensor;

class TensorText : public testing::Test {
 protected:
  std::string text(const Tensor& tensor, std::string_view prefix = {}) {
    IndentedText out;
    put_tensor(out, tensor, prefix);
    return out.take();
  }
  std::string text(std::string_view name, DataType dtype, std::optional<DimList> shape) {
    return text(*Tensor::variable(graph_->store(), name, dtype, std::move(shape)));
  }

  GraphRef graph_ = Graph::create(*graphsurgeon::Store::create());
};

TEST_F(TensorText, ShowsTypeAndShapeAsPythonDoes) {
  EXPECT_EQ(text("x", DataType::kFloat32, DimList{1, "N", 3}),
            "x [dtype=float32, shape=(1, 'N', 3)]");
  EXPECT_EQ(text("x", DataType::kInt64, DimList{3}), "x [dtype=int64, shape=(3,)]");
  EXPECT_EQ(text("x", DataType::kBool, DimList{}), "x [dtype=bool, shape=()]");
  EXPECT_EQ(text("x", DataType::kFloat32, DimList{graphsurgeon::Dim(), "it's"}),
            "x [dtype=float32, shape=(-1, \"it's\")]");
}

TEST_F(TensorText, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(text("x", DataType::kUndefined, std::nullopt), "x");
  EXPECT_EQ(text("x", DataType::kFloat16, std::nullopt), "x [dtype=float16]");
  EXPECT_EQ(text("x", DataType::kUndefined, DimList{2}), "x [shape=(2,)]");
  EXPECT_EQ(text("", DataType::kUndefined, std::nullopt), "");
  EXPECT_EQ(text("", DataType::kInt8, DimList{2}), "[dtype=int8, shape=(2,)]");
}

TEST_F(TensorText, NamesTypesThatNumPyDoesNotHave) {
  EXPECT_EQ(text("x", DataType::kBfloat16, DimList{}), "x [dtype=bfloat16, shape=()]");
  EXPECT_EQ(text("x", DataType::kUint4, DimList{}), "x [dtype=uint4, shape=()]");
  EXPECT_EQ(text("x", static_cast<DataType>(99), DimList{}), "x [dtype=99, shape=()]");
}

TEST_F(TensorText, WhiteSpaceAroundAnEntryDoesNotCount) {
  EXPECT_EQ(text(" x ", DataType::kUndefined, std::nullopt), "x");
  EXPECT_EQ(text(" x ", DataType::kInt8, DimList{}), "x  [dtype=int8, shape=()]");
}

TEST_F(TensorText, ConstantsShowWhatTheirValuesAre) {
  const auto values = graphsurgeon::owned_payload(Array::zeros(DataType::kFloat32, {2, 1}));
  const auto weight = Tensor::constant(graph_->store(), "w", values);
  EXPECT_EQ(text(*weight, "Initializer | "), "Initializer | w [dtype=float32, shape=(2, 1)]");
}

std::string input_type(const std::string& onnx_text) {
  const auto model =
      graphsurgeon::parse_onnx_text("g (" + onnx_text + " x) => (y) { y = Identity (x) }");
  IndentedText out;
  put_tensor(out, *model.graph->inputs()[0]);
  return out.take();
}

TEST(TypeText, ShowsWhatIsNoTensor) {
  EXPECT_EQ(input_type("seq(float[2, N])"), "x [dtype=seq(tensor(float32, shape=(2, 'N')))]");
  EXPECT_EQ(input_type("optional(seq(int64))"), "x [dtype=optional(seq(tensor(int64, shape=())))]");
  EXPECT_EQ(input_type("map(int64, string[])"), "x [dtype=map(int64, tensor(string))]");
  EXPECT_EQ(input_type("sparse_tensor(float[4])"), "x [dtype=sparse_tensor(float32, shape=(4,))]");
}

TEST(TypeText, DamageIsAnError) {
  EXPECT_THROW(type_text("\x22\x7f"), FormatError);  // a sequence longer than the text
  EXPECT_EQ(type_text(""), "unknown");
  EXPECT_EQ(type_text(std::string_view("\x22\x00", 2)), "seq(unknown)");
}

TEST(VariableText, ShowsPythonsLists) {
  const auto graph = graphsurgeon::Graph::create(*graphsurgeon::Store::create());
  const auto text = [&](DataType dtype, std::optional<graphsurgeon::DimList> shape) {
    return variable_text(
        *graphsurgeon::Tensor::variable(graph->store(), "t", dtype, std::move(shape)));
  };
  EXPECT_EQ(text(DataType::kFloat32, graphsurgeon::DimList{1, "N", graphsurgeon::Dim()}),
            "Variable (t): (shape=[1, 'N', None], dtype=float32)");
  EXPECT_EQ(text(DataType::kUndefined, std::nullopt), "Variable (t): (shape=None, dtype=None)");
  EXPECT_EQ(text(DataType::kInt64, graphsurgeon::DimList{}),
            "Variable (t): (shape=[], dtype=int64)");
}

}  // namespace
}  // namespace polygraphy
