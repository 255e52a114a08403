#include "graphsurgeon/onnx/shape_inference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/payloads/sparse_payload.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

using polygraphy::Logger;
using polygraphy::Severity;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Log {
  std::vector<std::string> warnings;
  Logger logger{[this](Severity severity, std::string_view text) {
    if (severity >= Severity::kWarning) warnings.emplace_back(text);
  }};
};

InferResult infer(Model& model, const InferOptions& options = {}) {
  Logger silent;
  return infer_shapes(model, options, silent);
}

// "float32[N,3]", "int64[?]", "float32" (rank not known), "-" (nothing known)
std::string type_of(const Graph& graph, std::string_view name) {
  const auto tensors = graph.tensor_map();
  const auto found = tensors.find(name);
  if (found == tensors.end()) return "no such tensor";
  const Tensor& tensor = *found->second;
  std::string text(polygraphy::name_of(tensor.dtype()));
  if (const auto shape = tensor.shape()) {
    text += '[';
    for (size_t i = 0; i < shape->size(); ++i) {
      const Dim& dim = (*shape)[i];
      if (i > 0) text += ',';
      text += !dim.param().empty() ? dim.param()
              : dim.has_value()    ? std::to_string(dim.value())
                                   : "?";
    }
    text += ']';
  }
  return text.empty() ? "-" : text;
}

// Readers refuse a shape of unknown elements; without a type they find both themselves.
TEST(ShapeInference, DeclaresNothingOfTensorsWhoseTypeIsNotKnown) {
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[N, 3] x) => (float[M, K] y) <int64[2] s = {1, 6}> {
      a = my.Unknown (x)
      b = Reshape (a, s)
      y = Identity (b)
    })");
  infer(model);
  EXPECT_EQ(type_of(*model.graph, "b"), "[1,6]");
  model.graph->mutable_outputs().emplace_back(model.graph->nodes()[1]->outputs()[0]);
  const std::string saved = encode_model(model);
  const Model read = load_model_from_bytes(std::as_bytes(std::span(saved)), nullptr, "m.onnx");
  EXPECT_THAT(read.graph->value_infos(), IsEmpty());
  EXPECT_EQ(read.graph->outputs()[1]->type_kind(), TypeKind::kNone);
}

TEST(ShapeInference, KnowsNoSequenceOfUnknownElements) {
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[3] x, int64 i) => (float[3] y) {
      a = my.Unknown (x)
      b = SequenceConstruct (a, a)
      y = SequenceAt (b, i)
    })");
  infer(model);
  EXPECT_TRUE(model.graph->nodes()[1]->outputs()[0]->type_proto().empty());
}

// Nodes that read them do not care how a file keeps them.
TEST(ShapeInference, SparseConstantsAreTensors) {
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 3] x) => (float[?, ?] y) <sparse_tensor(float[2, 3]) b>
    { a = Constant () b = Neg (a) y = Add (x, b) })");
  const auto part = [](polygraphy::Array values) {
    return DecodedTensor{"", owned_payload(std::move(values)), {}};
  };
  Attribute sparse;
  sparse.name = "sparse_value";
  sparse.type = AttributeType::kSparseTensor;
  sparse.value = TensorValue{
      {},
      std::make_shared<SparsePayload>(
          DataType::kFloat32, Shape{2, 3}, part(polygraphy::Array::of<float>({2}, {5, 7})),
          part(polygraphy::Array::of<int64_t>({2}, {0, 4})), std::string_view(), nullptr),
      {}};
  model.graph->nodes()[0]->set_attribute(std::move(sparse));
  EXPECT_THAT(infer(model).problems, IsEmpty());
  EXPECT_EQ(type_of(*model.graph, "a"), "float32[2,3]");
  // As the onnx library's own inference declares it.
  EXPECT_EQ(type_of(*model.graph, "b"), "float32[2,3]");
  EXPECT_EQ(model.graph->nodes()[1]->outputs()[0]->type_kind(), TypeKind::kTensor);
}

TEST(ShapeInference, KnowsOperatorsOfOnnxRuntime) {
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
    g (float[N, 3] x) => (float[N, M] y) <float[3] bias = {1, 2, 3}, float[4, 3] w = {}> {
      a = com.microsoft.Gelu (x)
      b = com.microsoft.BiasGelu (a, bias)
      c = com.microsoft.FusedMatMul <transB = 1> (b, w)
      d = com.microsoft.FusedMatMul <alpha = 0.5> (c, w)
      e = com.microsoft.FusedGemm <transB = 1> (d, w)
      f = com.microsoft.MultiHeadAttention <num_heads = 1> (e)
      y = Relu (f)
    })");
  infer(model);
  const Graph& graph = *model.graph;
  EXPECT_EQ(type_of(graph, "b"), "float32[N,3]");
  EXPECT_EQ(type_of(graph, "c"), "float32[N,4]");
  EXPECT_EQ(type_of(graph, "d"), "float32[N,3]");
  EXPECT_EQ(type_of(graph, "e"), "float32[N,4]");
  EXPECT_EQ(type_of(graph, "f"), "float32");
}

TEST(ShapeInference, WritesTypesOfIntermediateTensors) {
  Model model = parse_onnx_text(R"(
    g (float[N, 8] x) => (float[N, M] y) <float[8, 5] w = {}> {
      a = MatMul (x, w)
      b = Transpose <perm = [1, 0]> (a)
      y = Cast <to = 1> (b)
    })");
  const InferResult result = infer(model);
  EXPECT_EQ(type_of(*model.graph, "a"), "float32[N,5]");
  EXPECT_EQ(type_of(*model.graph, "b"), "float32[5,N]");
  EXPECT_EQ(type_of(*model.graph, "y"), "float32[5,M]");
  EXPECT_EQ(result.changed, 3u);
  EXPECT_THAT(result.problems, IsEmpty());
}

TEST(ShapeInference, FollowsShapeArithmetic) {
  constexpr char kText[] = R"(
    g (float[batch, 16, 4] x) => (float[a, b] y)
    <int64[1] zero = {0}, int64[1] minus_one = {-1}> {
      shape = Shape (x)
      batch_size = Gather (shape, zero)
      wanted = Concat <axis = 0> (batch_size, minus_one)
      z = Reshape (x, wanted)
      y = Relu (z)
    })";
  Model model = parse_onnx_text(kText);
  infer(model);
  EXPECT_EQ(type_of(*model.graph, "wanted"), "int64[2]");
  EXPECT_EQ(type_of(*model.graph, "z"), "float32[batch,64]");

  Model without = parse_onnx_text(kText);
  infer(without, {.data_propagation = false});
  EXPECT_EQ(type_of(*without.graph, "z"), "float32[unk__0,unk__1]");
}

TEST(ShapeInference, DimensionsThatAreEqualGetOneName) {
  Model model = parse_onnx_text(R"(
    g (float[unk__0, 3] x) => (int64[k, 2] i, float[m, 3] y) {
      found = NonZero (x)
      i = Transpose (found)
      y = Relu (x)
    })");
  infer(model);
  // The fresh name is not used in the model.
  EXPECT_EQ(type_of(*model.graph, "found"), "int64[2,unk__1]");
}

TEST(ShapeInference, ReachesIntoSubgraphs) {
  Model model = parse_onnx_text(R"(
    g (bool c, float[4, 6] x) => (y) <int64[2] wanted = {2, 12}> {
      h = Relu (x)
      y = If (c) <then_branch = t () => (a) { r = Reshape (h, wanted) a = Abs (r) },
                  else_branch = e () => (b) { n = Neg (h) b = Flatten (n) }>
    })");
  const InferResult result = infer(model);
  EXPECT_THAT(result.problems, IsEmpty());
  const auto branches = model.graph->nodes()[1]->subgraphs();
  // The value of an initializer of the enclosing graph counts inside.
  EXPECT_EQ(type_of(*branches[0], "r"), "float32[2,12]");
  EXPECT_EQ(type_of(*branches[0], "a"), "float32[2,12]");
  EXPECT_EQ(type_of(*branches[1], "n"), "float32[4,6]");
  EXPECT_EQ(type_of(*model.graph, "y"), "float32[unk__0,unk__1]");
}

TEST(ShapeInference, GivesLoopBodiesTheirTypes) {
  Model model = parse_onnx_text(R"(
    g (int64 trips, float[3] x) => (last, all) <bool go = {1}> {
      last, all = Loop (trips, go, x) <body = b (i, c, v) => (c_out, v_out, item) {
        c_out = Identity (c)
        v_out = Add (v, v)
        item = Relu (x)
      }>
    })");
  EXPECT_THAT(infer(model).problems, IsEmpty());
  const Graph& body = *model.graph->nodes()[0]->subgraphs()[0];
  EXPECT_EQ(type_of(body, "i"), "int64");
  EXPECT_EQ(type_of(body, "v_out"), "float32[3]");  // as at the start, for all trips
  EXPECT_EQ(type_of(*model.graph, "last"), "float32[3]");
  EXPECT_EQ(type_of(body, "item"), "float32[3]");
  EXPECT_EQ(type_of(*model.graph, "all"), "float32[unk__0,3]");
}

TEST(ShapeInference, KnowsWhatALoopDoesNotChange) {
  Model model = parse_onnx_text(R"(
    g (int64 trips, float[3, N, 4] x, float[2] y) => (grown, swapped) <bool go = {1}> {
      grown, swapped = Loop (trips, go, x, y) <body = b (i, c, v, w) => (c_out, v_out, w_out) {
        c_out = Identity (c)
        v_out = Concat <axis = 0> (v, v)
        longer = Concat <axis = 0> (w, w)
        w_out = Unsqueeze (longer, i)
      }>
    })");
  infer(model);
  EXPECT_EQ(type_of(*model.graph, "grown"), "float32[unk__1,N,4]");
  EXPECT_EQ(type_of(*model.graph, "swapped"), "float32");
  const Graph& body = *model.graph->nodes()[0]->subgraphs()[0];
  EXPECT_EQ(type_of(body, "w_out"), "float32");
}

TEST(ShapeInference, TopKKeepsTheOtherDimensions) {
  Model model = parse_onnx_text(R"(
    <ir_version: 10, opset_import: ["" : 20]>
    g (float[N, 4, M] x, int64[1] n) => (v, i, w, j) <int64[1] k = {2}> {
      v, i = TopK (x, k)
      w, j = TopK <axis = 0> (x, n)
    })");
  EXPECT_THAT(infer(model).problems, IsEmpty());
  EXPECT_EQ(type_of(*model.graph, "v"), "float32[N,4,2]");
  EXPECT_EQ(type_of(*model.graph, "i"), "int64[N,4,2]");
  EXPECT_EQ(type_of(*model.graph, "w"), "float32[unk__0,4,M]");
}

// The size for -1 is a number if the open dimensions are the input's.
TEST(ShapeInference, ReshapeDividesByTheDimensionsThatItKeeps) {
  const auto reshaped = [](const std::string& input, const std::string& parts) {
    Model model = parse_onnx_text(R"(<ir_version: 10, opset_import: ["" : 20]> g (float[)" + input +
                                  R"(] x) => (y) <int64[1] rest = {-1}, int64[1] zero = {0},
                                  int64[1] two = {2}, int64[1] six = {6}> {
      first = Shape <start = 0, end = 1> (x)
      second = Shape <start = 1, end = 2> (x)
      shape = Concat <axis = 0> ()" +
                                  parts + R"()
      y = Reshape (x, shape)
    })");
    EXPECT_THAT(infer(model).problems, IsEmpty());
    return type_of(*model.graph, "y");
  };
  EXPECT_EQ(reshaped("N, 3, 4", "first, rest"), "float32[N,12]");
  EXPECT_EQ(reshaped("N, 3, 4", "zero, rest"), "float32[N,12]");
  EXPECT_EQ(reshaped("N, 3, 4", "first, two, rest"), "float32[N,2,6]");
  EXPECT_EQ(reshaped("N, M, 4", "first, second, two, rest"), "float32[N,M,2,2]");
  EXPECT_EQ(reshaped("N, N, 4", "first, second, rest"), "float32[N,N,4]");
  EXPECT_EQ(reshaped("N, M, 4", "first, rest"), "float32[N,4*M]");
  EXPECT_EQ(reshaped("N, 6, 4", "six, rest"), "float32[6,4*N]");
  // Not divisible.
  EXPECT_EQ(reshaped("N, 3, 5", "first, two, rest"), "float32[N,2,unk__0]");
  // Were N 0, a 0 at this place would stand for 2.
  EXPECT_EQ(reshaped("2, N, 4", "second, rest"), "float32[N,unk__0]");
}

TEST(ShapeInference, PartsOfASplitHaveTheirSizes) {
  Model model = parse_onnx_text(R"(
    <ir_version: 10, opset_import: ["" : 20]>
    g (float[N, 3] x) => (a, b, c, d) <int64[2] parts = {1, 2}> {
      a, b = Split (x, parts)
      c, d = Split <axis = -1> (x, parts)
    })");
  EXPECT_THAT(infer(model).problems, IsEmpty());
  EXPECT_EQ(type_of(*model.graph, "a"), "float32[1,3]");
  EXPECT_EQ(type_of(*model.graph, "b"), "float32[2,3]");
  EXPECT_EQ(type_of(*model.graph, "c"), "float32[N,1]");
}

TEST(ShapeInference, LooksIntoLoopsOfLoops) {
  Model model = parse_onnx_text(R"(
    g (int64 trips, float[3] x, float[2] y) => (a, b) <bool go = {1}> {
      a, b = Loop (trips, go, x, y) <body = outer (i, c, v, w) => (c_out, v_out, w_out) {
        c_out = Identity (c)
        v_out = Loop (trips, go, v) <body = inner (j, d, u) => (d_out, u_out) {
          d_out = Identity (d)
          u_out = Neg (u)
        }>
        w_out = Concat <axis = 0> (w, v)
      }>
    })");
  EXPECT_THAT(infer(model).problems, IsEmpty());
  EXPECT_EQ(type_of(*model.graph, "a"), "float32[3]");
  EXPECT_EQ(type_of(*model.graph, "b"), "float32[unk__1]");
}

TEST(ShapeInference, EntersLocalFunctions) {
  Model model = parse_onnx_text(R"(
    <ir_version: 10, opset_import: ["" : 20, "local" : 1]>
    g (float[2, 3] x) => (y) { y = local.Gram (x) }
    <domain: "local", opset_import: ["" : 20]>
    Gram (v) => (w) { t = Transpose (v) w = MatMul (v, t) })");
  infer(model);
  EXPECT_EQ(type_of(*model.graph, "y"), "float32[2,2]");
}

TEST(ShapeInference, SequencesAndOptionalsKeepTheirFullType) {
  Model model = parse_onnx_text(R"(
    g (float[6, 2] x) => (n) {
      parts = SplitToSequence <axis = 0> (x)
      n = SequenceLength (parts)
    })");
  infer(model);
  const Tensor& parts = *model.graph->tensor_map().at("parts");
  EXPECT_EQ(parts.type_kind(), TypeKind::kSequence);
  EXPECT_FALSE(parts.type_proto().empty());
  EXPECT_EQ(type_of(*model.graph, "n"), "int64[]");
}

TEST(ShapeInference, LeavesOutputsOfUnknownOperatorsAlone) {
  Model model = parse_onnx_text(R"(
    <ir_version: 10, opset_import: ["" : 20, "com.example" : 1]>
    g (float[2] x) => (y) { a = Neg (x) b = com.example.Magic (a) c = Abs (b) y = Relu (a) })");
  infer(model);
  EXPECT_EQ(type_of(*model.graph, "b"), "-");
  EXPECT_EQ(type_of(*model.graph, "c"), "-");
  EXPECT_EQ(type_of(*model.graph, "y"), "float32[2]");
}

TEST(ShapeInference, ContradictionsAreListedAndWhatIsDeclaredStays) {
  Model model = parse_onnx_text(R"(
    g (float[2, 3] x, float[5, 7] w) => (float[9] y, z) {
      bad = MatMul (x, w)
      y = Relu (x)
      z = Neg (x)
    })");
  const InferResult result = infer(model);
  EXPECT_THAT(result.problems, ElementsAre(HasSubstr("model: node with output 'bad' (MatMul): "),
                                           HasSubstr("model: node with output 'y' (Relu): ")));
  EXPECT_EQ(type_of(*model.graph, "y"), "float32[9]");
  EXPECT_EQ(type_of(*model.graph, "z"), "float32[2,3]");
}

TEST(ShapeInference, OldModelsWork) {
  Model model = parse_onnx_text(R"(
    <ir_version: 3, opset_import: ["" : 6]>
    g (float[2, 3] x, float[3] w) => (y) {
      a = Add <broadcast = 1> (x, w)
      y = Relu (a)
    })");
  infer(model);
  EXPECT_EQ(type_of(*model.graph, "y"), "float32[2,3]");
}

TEST(ShapeInference, TakesAVersionWhereTheModelImportsNone) {
  Log log;
  Model model = parse_onnx_text(R"(
    <ir_version: 10, opset_import: ["ai.onnx.ml" : 3]>
    g (float[2, 3] x) => (y) { a = ai.onnx.ml.Normalizer (x) y = Relu (x) })");
  infer_shapes(model, {}, log.logger);
  EXPECT_EQ(type_of(*model.graph, "y"), "float32[2,3]");
  EXPECT_THAT(log.warnings, ElementsAre(HasSubstr("does not import a version")));

  Log quiet;
  Model only_ml = parse_onnx_text(R"(
    <ir_version: 10, opset_import: ["ai.onnx.ml" : 3]>
    g (float[2, 3] x) => (y) { y = ai.onnx.ml.Normalizer (x) })");
  infer_shapes(only_ml, {}, quiet.logger);
  EXPECT_THAT(quiet.warnings, IsEmpty());
}

TEST(ShapeInference, ASecondTimeChangesNothing) {
  Model model = parse_onnx_text(R"(
    g (float[N, 4] x) => (y) { a = NonZero (x) b = Cast <to = 1> (a) y = Relu (b) })");
  EXPECT_GT(infer(model).changed, 0u);
  const uint64_t edits = model.graph->store().edits();
  EXPECT_EQ(infer(model).changed, 0u);
  EXPECT_EQ(model.graph->store().edits(), edits);
}

TEST(ShapeInference, AModelThatSaysItAllStaysUntouched) {
  Model model = parse_onnx_text(R"(
    g (float[N, 3] x) => (float[3, N] y) <float[N, 3] a> { a = Relu (x) y = Transpose (a) })");
  ASSERT_TRUE(model.untouched());
  EXPECT_EQ(infer(model).changed, 0u);
  EXPECT_TRUE(model.untouched());
}

TEST(ShapeInference, DoesNotCountWithNegativeDimensions) {
  Model model = parse_onnx_text(R"(
    g (float[N, 3] x, float[4] w) => (y, z) { y = Concat <axis = 0> (x, x) z = Neg (w) })");
  model.graph->inputs()[0]->set_shape(DimList{-1, 3});
  const Tensor& z = *model.graph->outputs()[1];
  model.graph->outputs()[1]->set_shape(DimList{-7});
  infer(model);
  EXPECT_EQ(type_of(*model.graph, "y"), "float32[unk__0,3]");
  EXPECT_EQ(z.shape(), DimList{4});
  // Where inference finds nothing better, the declarations of the file stay.
  EXPECT_EQ(model.graph->inputs()[0]->shape(), (DimList{-1, 3}));
}

TEST(ShapeInference, ReadsSmallValuesFromDataFiles) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "gs_shape_inference";
  std::filesystem::create_directories(folder);
  const int64_t wanted[] = {4, 6};
  std::ofstream(folder / "shape.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(wanted), sizeof(wanted));
  const auto model_with = [&](const char* location) {
    Model model = parse_onnx_text("g (float[24] x, int64[2] s) => (y) { y = Reshape (x, s) }");
    ExternalRange range;
    range.location = location;
    range.folder = folder.string();
    model.graph->inputs()[1]->to_constant(
        external_payload(DataType::kInt64, {2}, std::move(range)));
    return model;
  };
  Model model = model_with("shape.bin");
  EXPECT_THAT(infer(model).problems, IsEmpty());
  EXPECT_EQ(type_of(*model.graph, "y"), "float32[4,6]");

  // --ignore-external-data, say.
  Model without = model_with("missing.bin");
  EXPECT_THAT(infer(without).problems, IsEmpty());
  EXPECT_EQ(type_of(*without.graph, "y"), "float32[unk__0,unk__1]");
  std::filesystem::remove_all(folder);
}

TEST(ShapeInference, NeverTouchesWeights) {
  Model model = parse_onnx_text("g (float[N, 4096] x) => (y) { y = MatMul (x, w) }");
  ExternalRange nowhere;
  nowhere.location = "missing.bin";
  const TensorRef weight =
      Tensor::constant(model.graph->store(), "w",
                       external_payload(DataType::kFloat32, {4096, 1 << 20}, std::move(nowhere)));
  model.graph->nodes()[0]->inputs().set(1, weight);
  model.graph->mutable_initializers().push_back(weight);
  infer(model);
  EXPECT_EQ(type_of(*model.graph, "y"), "float32[N,1048576]");
}

TEST(ShapeInference, LongVectorsAreDataNotShapes) {
  // Followed value by value, each Add would hold gigabytes.
  Model model = parse_onnx_text(R"(
    g (int64[1000000000] x) => (y) { a = Add (x, x) b = Add (a, x) y = Mul (b, x) })");
  infer(model);
  EXPECT_EQ(type_of(*model.graph, "y"), "int64[1000000000]");
}

TEST(ShapeInference, DeepNestingIsNoProblem) {
  constexpr int kDepth = 150;
  Model model = parse_onnx_text("g (bool c, float[2] x) => (y) { y = Relu (x) }");
  Store& store = model.graph->store();
  const TensorRef condition = model.graph->inputs()[0];
  Graph* around = model.graph.get();
  for (int depth = 0; depth < kDepth; ++depth) {
    const GraphRef inner = Graph::create(store, "inner");
    const NodeRef relu = Node::create(store, "Relu");
    relu->inputs().append(model.graph->inputs()[1]);
    const TensorRef result = Tensor::variable(store, "r" + std::to_string(depth));
    relu->outputs().append(result);
    inner->mutable_nodes().push_back(relu);
    inner->mutable_outputs().push_back(result);
    const NodeRef branch = Node::create(store, "If");
    branch->inputs().append(condition);
    branch->outputs().append(Tensor::variable(store, "o" + std::to_string(depth)));
    for (const char* name : {"then_branch", "else_branch"}) {
      Attribute attribute;
      attribute.name = store.intern(name);
      attribute.type = AttributeType::kGraph;
      // The other branch is a separate graph, as in a file.
      GraphRef graph = inner;
      if (std::string_view(name) == "else_branch") {
        graph = Graph::create(store, "other");
        const NodeRef neg = Node::create(store, "Neg");
        neg->inputs().append(model.graph->inputs()[1]);
        const TensorRef negated = Tensor::variable(store, "n" + std::to_string(depth));
        neg->outputs().append(negated);
        graph->mutable_nodes().push_back(neg);
        graph->mutable_outputs().push_back(negated);
      }
      attribute.value = graph;
      branch->set_attribute(std::move(attribute));
    }
    around->mutable_nodes().push_back(branch);
    around = inner.get();
  }
  EXPECT_THAT(infer(model).problems, IsEmpty());
  EXPECT_EQ(type_of(*around, "r149"), "float32[2]");
  EXPECT_EQ(type_of(*model.graph, "o0"), "float32[2]");
}

// Every model of the onnx project's own test data.
TEST(ShapeInference, FindsATypeForEveryOutputOfTheTestModels) {
  size_t models = 0;
  size_t typed = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           PG_DEPS_DIR "/onnx-testdata",
           std::filesystem::directory_options::follow_directory_symlink)) {
    if (entry.path().extension() != ".onnx") continue;
    ++models;
    Model model = load_model(entry.path());
    EXPECT_THAT(infer(model).problems, IsEmpty()) << entry.path();
    EXPECT_EQ(infer(model).changed, 0u) << entry.path();
    bool all = true;
    for (const NodeRef& node : model.graph->nodes()) {
      for (const Tensor* output : node->outputs()) {
        all &= output->is_empty() || output->type_kind() != TypeKind::kTensor ||
               output->dtype() != DataType::kUndefined;
      }
    }
    typed += all;
  }
  EXPECT_GT(models, 1800u);
  EXPECT_GT(typed, models * 98 / 100);
}

}  // namespace
}  // namespace graphsurgeon
