// Edits reach the file, and nothing else changes.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "parsed.h"

namespace graphsurgeon::roundtrip {
namespace {

using onnx::TensorProto;

onnx::ModelProto two_nodes() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.set_producer_name("");
  model.add_opset_import()->set_version(17);
  auto* graph = model.mutable_graph();
  graph->set_name("g");
  auto* first = graph->add_node();
  first->set_name("first");
  first->set_op_type("Relu");
  first->add_input("x");
  first->add_output("h");
  auto* second = graph->add_node();
  second->set_name("second");
  second->set_op_type("Add");
  second->add_input("h");
  second->add_input("w");
  second->add_output("y");
  const auto describe = [](onnx::ValueInfoProto& info, const char* name) {
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(TensorProto::FLOAT);
    info.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(2);
  };
  describe(*graph->add_input(), "x");
  describe(*graph->add_output(), "y");
  auto* w = graph->add_initializer();
  w->set_name("w");
  w->add_dims(2);
  w->set_data_type(TensorProto::FLOAT);
  w->add_float_data(1);
  w->add_float_data(2);
  return model;
}

TEST(EditedModel, MarkingAnOutputAddsItAndChangesNothingElse) {
  onnx::ModelProto expected = two_nodes();
  Model model = load_bytes(expected.SerializeAsString());
  const TensorRef hidden(model.graph->nodes()[0]->outputs()[0]);
  model.graph->mutable_outputs().push_back(hidden);
  EXPECT_FALSE(model.untouched());

  expected.mutable_graph()->add_output()->set_name("h");
  EXPECT_EQ(canonical(encode_model(model)), expected.SerializeAsString());
}

TEST(EditedModel, ATensorThatGotATypeIsDescribedInValueInfo) {
  onnx::ModelProto expected = two_nodes();
  Model model = load_bytes(expected.SerializeAsString());
  Tensor& hidden = *model.graph->nodes()[0]->outputs()[0];
  hidden.set_dtype(DataType::kFloat32);
  hidden.set_shape(DimList{Dim("N")});

  auto* info = expected.mutable_graph()->add_value_info();
  info->set_name("h");
  info->mutable_type()->mutable_tensor_type()->set_elem_type(TensorProto::FLOAT);
  info->mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_param("N");
  EXPECT_EQ(canonical(encode_model(model)), expected.SerializeAsString());
}

TEST(EditedModel, RenamingATensorReachesEverySlotAndList) {
  onnx::ModelProto expected = two_nodes();
  Model model = load_bytes(expected.SerializeAsString());
  model.graph->outputs()[0]->set_name("z");
  model.graph->initializers()[0]->set_name("v");

  expected.mutable_graph()->mutable_node(1)->set_output(0, "z");
  expected.mutable_graph()->mutable_output(0)->set_name("z");
  expected.mutable_graph()->mutable_node(1)->set_input(1, "v");
  expected.mutable_graph()->mutable_initializer(0)->set_name("v");
  EXPECT_EQ(canonical(encode_model(model)), expected.SerializeAsString());
}

TEST(EditedModel, NewValuesGoIntoRawData) {
  onnx::ModelProto expected = two_nodes();
  Model model = load_bytes(expected.SerializeAsString());
  model.graph->initializers()[0]->to_constant(owned_payload(Array::of<float>({2}, {3.f, 4.f})));

  auto* w = expected.mutable_graph()->mutable_initializer(0);
  w->clear_float_data();
  const float values[] = {3.f, 4.f};
  w->set_raw_data(std::string(reinterpret_cast<const char*>(values), sizeof values));
  EXPECT_EQ(canonical(encode_model(model)), expected.SerializeAsString());
}

TEST(EditedModel, ANewHeaderIsWrittenOverAnExplicitDefault) {
  onnx::ModelProto expected = two_nodes();
  Model model = load_bytes(expected.SerializeAsString());
  model.producer_name = "us";
  model.ir_version = 9;
  model.opset_imports[0].version = 18;
  EXPECT_FALSE(model.untouched());

  expected.set_producer_name("us");
  expected.set_ir_version(9);
  expected.mutable_opset_import(0)->set_version(18);
  EXPECT_EQ(canonical(encode_model(model)), expected.SerializeAsString());
}

TEST(EditedModel, AttributesAreReplacedInPlace) {
  onnx::ModelProto expected = two_nodes();
  auto* alpha = expected.mutable_graph()->mutable_node(0)->add_attribute();
  alpha->set_name("alpha");
  alpha->set_type(onnx::AttributeProto::FLOAT);
  alpha->set_f(1);
  auto* axis = expected.mutable_graph()->mutable_node(0)->add_attribute();
  axis->set_name("axis");
  axis->set_type(onnx::AttributeProto::INT);
  axis->set_i(1);
  Model model = load_bytes(expected.SerializeAsString());
  Node& node = *model.graph->nodes()[0];
  Attribute changed;
  changed.name = "alpha";
  changed.type = AttributeType::kFloat;
  changed.value = 2.f;
  node.set_attribute(changed);
  changed.name = "new";
  changed.type = AttributeType::kInts;
  changed.value = std::vector<int64_t>{};
  node.set_attribute(changed);
  EXPECT_TRUE(node.remove_attribute("axis"));
  EXPECT_FALSE(node.remove_attribute("axis"));

  alpha->set_f(2);
  axis->Clear();
  axis->set_name("new");
  axis->set_type(onnx::AttributeProto::INTS);
  EXPECT_EQ(canonical(encode_model(model)), expected.SerializeAsString());
}

TEST(EditedModel, AGraphMadeFromScratchIsAModel) {
  Store* store = Store::create();
  Model model;
  model.ir_version = 10;
  model.opset_imports.push_back({"", 21, {}});
  model.graph = Graph::create(*store, "made");
  const TensorRef x = Tensor::variable(*store, "x", DataType::kFloat32, DimList{Dim(2)});
  const TensorRef y = Tensor::variable(*store, "y", DataType::kFloat32, DimList{Dim(2)});
  NodeRef node = Node::create(*store, "Add", "add");
  node->inputs().append(x);
  node->inputs().append(
      Tensor::constant(*store, "c", splat_payload(Array::of<float>({}, {0.5f}), {2})));
  node->outputs().append(y);
  model.graph->mutable_initializers().push_back(TensorRef(node->inputs()[1]));
  model.graph->mutable_nodes().push_back(node);
  model.graph->mutable_inputs().push_back(x);
  model.graph->mutable_outputs().push_back(y);

  const onnx::ModelProto parsed = parse(encode_model(model));
  EXPECT_EQ(parsed.graph().node(0).op_type(), "Add");
  EXPECT_FALSE(parsed.graph().node(0).has_domain());
  ASSERT_EQ(parsed.graph().initializer(0).raw_data().size(), 8u);
  float values[2];
  memcpy(values, parsed.graph().initializer(0).raw_data().data(), 8);
  EXPECT_EQ(values[1], 0.5f);
  EXPECT_EQ(parsed.graph().input(0).type().tensor_type().shape().dim(0).dim_value(), 2);
}

}  // namespace
}  // namespace graphsurgeon::roundtrip
