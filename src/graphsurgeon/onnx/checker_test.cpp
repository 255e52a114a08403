#include "graphsurgeon/onnx/checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/ir/payloads/sparse_payload.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string problem(const Model& model, const CheckOptions& options = {}) {
  try {
    check_model(model, options);
  } catch (const polygraphy::Error& error) {
    return error.what();
  }
  return "";
}

std::string problem(const char* text, const CheckOptions& options = {}) {
  return problem(parse_onnx_text(text), options);
}

TEST(Checker, FindsNothingInAGoodModel) {
  EXPECT_EQ(problem("g (float[2] x) => (float[2] y) { y = Relu (x) }", {.shapes = true}), "");
}

// Their indices are part of the copy that the checker gets, whatever their size.
TEST(Checker, ReadsIndicesOfLargeSparseConstants) {
  constexpr int64_t kCount = 1000;
  std::vector<int64_t> indices(kCount);
  std::iota(indices.begin(), indices.end(), 0);
  const auto part = [](polygraphy::Array values) {
    DecodedTensor tensor;
    tensor.name = "w";
    tensor.values = owned_payload(std::move(values));
    return tensor;
  };
  const auto model_of = [&] {
    Model model = parse_onnx_text(
        "g (float[2000] x) => (float[2000] y) { w = Constant <value_int = 0> () y = Add(x, w) }");
    Attribute sparse;
    sparse.name = "sparse_value";
    sparse.type = AttributeType::kSparseTensor;
    sparse.value = TensorValue{
        {},
        std::make_shared<SparsePayload>(
            polygraphy::DataType::kFloat32, polygraphy::Shape{2000},
            part(polygraphy::Array::zeros(polygraphy::DataType::kFloat32, {kCount})),
            part(polygraphy::Array::of<int64_t>({kCount}, indices)), std::string_view(), nullptr),
        {}};
    model.graph->nodes()[0]->remove_attribute("value_int");
    model.graph->nodes()[0]->set_attribute(std::move(sparse));
    return model;
  };
  EXPECT_EQ(problem(model_of()), "");
  EXPECT_EQ(checker_complaint(model_of()), "");
  std::swap(indices.front(), indices.back());
  EXPECT_THAT(problem(model_of()), HasSubstr("not in sorted order"));
}

TEST(Checker, NamesTheNode) {
  EXPECT_EQ(
      problem("g (float[2] x) => (float[2] y) { [n1] y = Frobnicate (x) }"),
      "model: node 'n1' (Frobnicate): No Op registered for Frobnicate with domain_version of 20");
  EXPECT_THAT(problem("g (float[2] x) => (float[2] y) { [n1] y = Relu <alpha = 1.0> (x) }"),
              AllOf(HasSubstr("node 'n1' (Relu)"), HasSubstr("Unrecognized attribute: alpha")));
  EXPECT_THAT(problem("g (float[2] x) => (float[2] y) { [n1] y = Add (x) }"),
              HasSubstr("node 'n1' (Add)"));
}

TEST(Checker, NamesTheNodeAroundABadOneInside) {
  EXPECT_THAT(problem(R"(g (bool c, float[2] x) => (float[2] y) {
                [outer] y = If (c) <then_branch = t () => (float[2] a) { a = Relu (x) },
                                    else_branch = e () => (float[2] b) { [inner] b = Nope (x) }>
              })"),
              AllOf(HasSubstr("node 'outer' (If)"), HasSubstr("Nope")));
}

TEST(Checker, WantsNodesInOrderAndNamesOnce) {
  EXPECT_EQ(problem("g (float[2] x) => (float[2] y) { y = Relu (a) a = Neg (x) }"),
            "model: Nodes in a graph must be topologically sorted, however input 'a' of node: "
            "name:  OpType: Relu "
            "is not output of any previous nodes.");
  EXPECT_THAT(problem("g (float[2] x) => (float[2] y) { y = Relu (x) y = Neg (x) }"),
              HasSubstr("single static assignment"));
}

TEST(Checker, ComparesDeclaredWithInferredShapesWhenAsked) {
  constexpr char kWrong[] = "g (float[2] x) => (float[3] y) { [n1] y = Relu (x) }";
  EXPECT_EQ(problem(kWrong), "");
  EXPECT_THAT(problem(kWrong, {.shapes = true}), AllOf(HasSubstr("Relu"), HasSubstr("(2) vs (3)")));
}

TEST(Checker, KnowsCustomDomainsOnlyWhenAsked) {
  constexpr char kCustom[] = R"(<ir_version: 10, opset_import: ["" : 20, "com.example" : 1]>
    g (float[2] x) => (float[2] y) { [n1] y = com.example.Magic (x) })";
  EXPECT_EQ(problem(kCustom), "");
  EXPECT_THAT(problem(kCustom, {.custom_domains = true}), HasSubstr("Magic"));
}

TEST(Checker, PrintsNothingAboutExperimentalOperators) {
  testing::internal::CaptureStdout();
  const std::string found = problem("g (float[2] x) => (float[2] y) { y = ATen (x) }");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(found, "");
}

TEST(Checker, LooksForExternalData) {
  Model model = parse_onnx_text("g (float[1000] x) => (float[1000] y) { y = Add (x, w) }");
  ExternalRange range;
  range.location = "missing.bin";
  range.folder = testing::TempDir();
  const TensorRef weight = Tensor::constant(
      model.graph->store(), "w", external_payload(DataType::kFloat32, {1000}, std::move(range)));
  model.graph->nodes()[0]->inputs().set(1, weight);
  model.graph->mutable_initializers().push_back(weight);
  EXPECT_THAT(problem(model), AllOf(HasSubstr("'w'"), HasSubstr("missing.bin")));
  EXPECT_EQ(problem(model, {.payloads = false}), "");
}

TEST(Checker, AcceptsTheTestModels) {
  size_t models = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           PG_DEPS_DIR "/onnx-testdata",
           std::filesystem::directory_options::follow_directory_symlink)) {
    if (entry.path().extension() != ".onnx") continue;
    ++models;
    EXPECT_EQ(problem(load_model(entry.path())), "") << entry.path();
  }
  EXPECT_GT(models, 1800u);
}

TEST(CheckerComplaint, InTheCheckersOwnWords) {
  EXPECT_EQ(checker_complaint(parse_onnx_text("g (float[2] x) => (float[2] y) { y = Relu(x) }")),
            "");
  Model open = parse_onnx_text("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  open.graph->outputs()[0]->set_shape(std::nullopt);
  EXPECT_EQ(checker_complaint(open), "");
  EXPECT_THAT(checker_complaint(parse_onnx_text(
                  "g (float[2] x) => (float[2] y) { [n] y = Relu <alpha = 1.0> (x) }")),
              testing::HasSubstr("==> Context: Bad node spec for node. Name: n OpType: Relu"));
}

}  // namespace
}  // namespace graphsurgeon
