// The defects of the original that concern the library, decision by decision:
// docs/graphsurgeon.md.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/graphsurgeon.h"

namespace graphsurgeon {
namespace {

Model reloaded(const Model& m) {
  const std::string bytes = encode_model(m);
  return load_model_from_bytes(std::as_bytes(std::span(bytes)), nullptr, "saved");
}

TensorRef weight(Graph& g) {
  return g.constant("w", Array::of<float>({2}, {1, 2}));
}

TEST(Decisions, G1NoTensorsShareAShape) {
  Model m = make_model();
  const TensorRef a = weight(*m.graph), b = weight(*m.graph);
  a->to_variable(DataType::kFloat32);
  b->to_variable(DataType::kFloat32);
  a->set_shape(DimList{3});
  EXPECT_EQ(b->shape(), DimList{});
}

TEST(Decisions, G2ABornConstantCanBecomeAnInput) {
  Model m = make_model({.opset = 18});
  const TensorRef w = weight(*m.graph);
  m.graph->mutable_inputs() = {w};
  m.graph->mutable_outputs() = {m.graph->layer({.op = "Neg", .inputs = {w}, .outputs = {"y"}})[0]};
  m.graph->outputs()[0]->set_dtype(DataType::kFloat32);
  m.graph->outputs()[0]->set_shape(DimList{});
  w->to_variable();
  EXPECT_EQ(w->type_kind(), TypeKind::kTensor);
  EXPECT_EQ(w->dtype(), DataType::kFloat32);
  check_model(reloaded(m));
}

TEST(Decisions, G3AVariableKeepsItsTypeWithoutOne) {
  Model m = make_model();
  const TensorRef x = m.graph->variable("x", DataType::kFloat16, {2});
  EXPECT_EQ(x->to_variable().dtype(), DataType::kFloat16);
}

TEST(Decisions, G4WithoutAShapeItIsAScalarUnlessAskedOtherwise) {
  Model m = make_model();
  const TensorRef x = m.graph->variable("x", DataType::kFloat32, {2, "N"});
  EXPECT_EQ(x->to_variable_of_same_shape(DataType::kInt32).shape(), (DimList{2, "N"}));
  EXPECT_EQ(x->to_variable(DataType::kInt64).shape(), DimList{});
}

TEST(Decisions, G5CopiesKeepWhatTheOriginalsLose) {
  Model m = parse_onnx_text(R"(<ir_version: 10, opset_import: ["" : 18], producer_name: "p",
      producer_version: "1", doc_string: "doc">
      g (seq(float[2]) x) => (int64 y) { y = SequenceLength(x) })");
  const Model other = copy(m);
  EXPECT_EQ(other.producer_name, "p");
  EXPECT_EQ(other.producer_version, "1");
  EXPECT_EQ(other.doc_string, "doc");
  EXPECT_EQ(other.graph->inputs()[0]->type_kind(), TypeKind::kSequence);
  const TensorRef x = m.graph->variable("v", DataType::kFloat32, {2});
  copy(*x)->set_shape(DimList{3});
  EXPECT_EQ(x->shape(), DimList{2});
  const TensorRef w = weight(*m.graph);
  const TensorRef second = copy(*w);
  second->to_constant(Array::of<int64_t>({1}, {1}));
  EXPECT_EQ(second->dtype(), DataType::kInt64);
  EXPECT_EQ(w->dtype(), DataType::kFloat32);
}

TEST(Decisions, G6EdgesGoByIdentity) {
  Model m = make_model();
  Store& store = m.graph->store();
  const TensorRef x = m.graph->variable("x");
  const NodeRef a = Node::create(store, "Op", "same"), b = Node::create(store, "Op", "same");
  a->inputs().append(x);
  b->inputs().append(x);
  b->inputs().clear();
  EXPECT_EQ(x->consumers().front(), a.get());
  EXPECT_EQ(x->consumers().size(), 1u);
  const TensorRef same_name = m.graph->variable("x");
  EXPECT_FALSE(a->inputs().remove(*same_name));
  EXPECT_EQ(a->inputs().size(), 1u);
}

TEST(Decisions, G12TheOpsetIsTheModelsOwn) {
  Model m = parse_onnx_text("g (float[2] x) => (float[2] y) { y = Neg(x) }");
  Model other = copy(m);
  other.set_opset(13);
  other.set_opset(2, "own");
  EXPECT_EQ(m.opset(), 20);
  EXPECT_EQ(m.opset_imports.size(), 1u);
  EXPECT_EQ(reloaded(other).opset(), 13);
  EXPECT_EQ(reloaded(other).opset_imports[1].version, 2);
}

TEST(Decisions, G14SparseValuesKeepTheirType) {
  Model m = parse_onnx_text("g (float[2] x) => (float[2] y) { y = Neg(x) }");
  const std::string proto = [] {
    // SparseTensorProto { values { dims: 1 data_type: FLOAT16 name: "s" raw_data: 0x3c00 }
    //                     indices { dims: 1 data_type: INT64 raw_data: 2 } dims: 4 }
    using namespace std::string_literals;
    const std::string values = "\x08\x01\x10\x0a\x42\x01s\x4a\x02\x00\x3c"s;
    const std::string indices = "\x08\x01\x10\x07\x4a\x08\x02\x00\x00\x00\x00\x00\x00\x00"s;
    const auto field = [](char key, const std::string& bytes) {
      return std::string{key, static_cast<char>(bytes.size())} + bytes;
    };
    const std::string sparse = field(0x0a, values) + field(0x12, indices) + "\x18\x04"s;
    const std::string graph = field(0x7a, sparse);  // GraphProto.sparse_initializer, 15
    return field(0x3a, graph);                      // ModelProto.graph, 7
  }();
  const Model sparse = load_model_from_bytes(std::as_bytes(std::span(proto)), nullptr, "sparse");
  ASSERT_EQ(sparse.graph->initializers().size(), 1u);
  const Array values = sparse.graph->initializers()[0]->values();
  EXPECT_EQ(values.dtype(), DataType::kFloat16);
  EXPECT_EQ(values.shape(), Shape{4});
  EXPECT_EQ(values.get_double(2), 1.0);
  EXPECT_EQ(values.get_double(1), 0.0);
}

TEST(Decisions, G15SmallTypesArePackedAndNamedRight) {
  Model m = make_model({.opset = 21});
  Graph& g = *m.graph;
  const Array ints = polygraphy::convert(Array::of<int8_t>({3}, {1, -2, 3}), DataType::kInt4);
  const Array floats =
      polygraphy::convert(Array::of<float>({2}, {1, 0.5}), DataType::kFloat8E4M3FNUZ);
  g.layer({.op = "Identity", .inputs = {ints}, .outputs = {"a"}});
  g.layer({.op = "Identity", .inputs = {floats}, .outputs = {"b"}});
  const Model again = reloaded(m);
  EXPECT_EQ(again.graph->initializers()[0]->dtype(), DataType::kInt4);
  EXPECT_EQ(again.graph->initializers()[0]->payload()->nbytes(), 2);
  EXPECT_EQ(again.graph->initializers()[0]->values().get_int64(1), -2);
  EXPECT_EQ(again.graph->initializers()[1]->dtype(), DataType::kFloat8E4M3FNUZ);
}

TEST(Decisions, G17ASecondFunctionOfOneNameIsRefused) {
  Model m = make_model({.opset = 18});
  make_function(m, {.name = "f"});
  EXPECT_THROW(make_function(m, {.name = "f"}), polygraphy::Error);
}

TEST(Decisions, G18MetadataSurvivesEdits) {
  Model m = parse_onnx_text(R"(<ir_version: 10, opset_import: ["" : 18], domain: "d",
      model_version: 7, metadata_props: ["k" : "v"]>
      g (float[2] x) => (float[2] y) { y = Neg(x) })");
  m.graph->nodes()[0]->set_doc_string("why");
  const Model again = reloaded(m);
  EXPECT_EQ(again.domain, "d");
  EXPECT_EQ(again.model_version, 7);
  EXPECT_EQ(again.metadata.at(0).second, "v");
  EXPECT_EQ(again.graph->nodes()[0]->doc_string(), "why");
}

TEST(Decisions, G19SavingChangesNothing) {
  Model m =
      parse_onnx_text("g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Add(x, w) }");
  Model other = copy(m);
  other.graph->initializers()[0]->set_name("renamed");
  const uint64_t edits = other.graph->store().edits();
  EXPECT_EQ(reloaded(other).graph->initializers()[0]->name(), "renamed");
  EXPECT_EQ(m.graph->initializers()[0]->name(), "w");
  EXPECT_EQ(reloaded(m).graph->initializers()[0]->name(), "w");
  EXPECT_EQ(other.graph->store().edits(), edits);
}

}  // namespace
}  // namespace graphsurgeon
