#include "graphsurgeon/ir/layer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "graphsurgeon/ir/make.h"

namespace graphsurgeon {
namespace {

using ::testing::ElementsAre;

template <typename Tensors>
std::vector<std::string> names(const Tensors& tensors) {
  std::vector<std::string> names;
  for (const auto& tensor : tensors) names.emplace_back(tensor->name());
  return names;
}

// The names are those that the original gives (onnx_graphsurgeon 0.6.1, same calls).
TEST(Layer, NamesAreTheOriginals) {
  Model m = make_model();
  Graph& g = *m.graph;
  const TensorRef x = g.variable("x", DataType::kFloat32, {1, "N", Dim()});
  g.mutable_inputs() = {x};
  TensorList& first =
      g.layer({.op = "Add", .inputs = {x, Array::of<float>({2}, {1, 1})}, .outputs = {"add_out"}});
  EXPECT_THAT(names(first), ElementsAre("add_out_1"));
  EXPECT_EQ(g.nodes()[0]->name(), "onnx_graphsurgeon_node_2");
  EXPECT_THAT(names(g.nodes()[0]->inputs()), ElementsAre("x", "onnx_graphsurgeon_constant_0"));

  TensorList& second = g.layer(
      {.op = "Add", .inputs = {first[0], {1.0, 2.0}}, .outputs = {"add_out", "b"}, .domain = "dd"});
  EXPECT_THAT(names(second), ElementsAre("add_out_4", "b_5"));
  EXPECT_EQ(g.nodes()[1]->name(), "onnx_graphsurgeon_node_6");
  EXPECT_EQ(g.nodes()[1]->domain(), "dd");

  g.layer({.op = "C",
           .inputs = {3, 2.5, true, std::vector<int64_t>{}, {1, 2}, {true}},
           .outputs = {"q"},
           .name = "given"});
  EXPECT_THAT(
      names(g.nodes()[2]->inputs()),
      ElementsAre("onnx_graphsurgeon_lst_constant_7", "onnx_graphsurgeon_lst_constant_8",
                  "onnx_graphsurgeon_lst_constant_9", "onnx_graphsurgeon_lst_constant_10",
                  "onnx_graphsurgeon_lst_constant_11", "onnx_graphsurgeon_lst_constant_12"));
  EXPECT_EQ(g.nodes()[2]->name(), "given");

  g.layer({.op = "X", .inputs = {x}, .outputs = {g.variable("y_15")}});
  EXPECT_EQ(g.nodes()[3]->name(), "onnx_graphsurgeon_node_14");
  EXPECT_THAT(names(g.layer({.op = "X", .inputs = {x}, .outputs = {"y", "y"}})),
              ElementsAre("y_16", "y_17"));
}

TEST(Layer, NumbersAndListsBecomeConstants) {
  Model m = make_model();
  Graph& g = *m.graph;
  const Node& node = *g.layer({.op = "C",
                               .inputs = {3,
                                          2.5f,
                                          false,
                                          std::vector<int64_t>{},
                                          {1, 2},
                                          {0.5, 1.0},
                                          Array::of<uint8_t>({1}, {7})},
                               .outputs = {"q"}})[0]
                          ->producer();
  const auto type = [&](size_t i) { return node.inputs()[i]->dtype(); };
  const auto shape = [&](size_t i) { return node.inputs()[i]->payload()->shape(); };
  EXPECT_EQ(type(0), DataType::kInt64);
  EXPECT_EQ(shape(0), Shape{});
  EXPECT_EQ(type(1), DataType::kFloat32);
  EXPECT_EQ(node.inputs()[1]->values().get_double(0), 2.5);
  EXPECT_EQ(type(2), DataType::kInt64);
  EXPECT_EQ(type(3), DataType::kInt64);
  EXPECT_EQ(shape(3), Shape{0});
  EXPECT_EQ(node.inputs()[4]->values().get_int64(1), 2);
  EXPECT_EQ(type(5), DataType::kFloat32);
  EXPECT_EQ(type(6), DataType::kUint8);
  EXPECT_EQ(g.initializers().size(), 7u);
}

TEST(Layer, AttributesKeepTheirKinds) {
  Model m = make_model();
  const GraphRef body = make_subgraph(*m.graph, "body");
  Graph& g = *m.graph;
  g.layer({.op = "Op",
           .attrs = {{"i", 1},
                     {"f", 0.5},
                     {"s", "text"},
                     {"ints", {1, 2}},
                     {"floats", {0.5f}},
                     {"strings", {"a", "b"}},
                     {"none", std::vector<double>{}},
                     {"t", Array::of<float>({}, {1})},
                     {"g", body},
                     {"to", DataType::kFloat16},
                     {"ref", AttributeRef{"alpha", AttributeType::kFloat}}}});
  const Node& node = *g.nodes()[0];
  const auto type = [&](std::string_view name) { return node.attribute(name)->type; };
  EXPECT_EQ(type("i"), AttributeType::kInt);
  EXPECT_EQ(node.attribute("f")->as_float(), 0.5f);
  EXPECT_EQ(node.attribute("s")->as_string(), "text");
  EXPECT_EQ(type("ints"), AttributeType::kInts);
  EXPECT_EQ(type("floats"), AttributeType::kFloats);
  EXPECT_EQ(type("strings"), AttributeType::kStrings);
  EXPECT_EQ(type("none"), AttributeType::kFloats);
  EXPECT_EQ(type("t"), AttributeType::kTensor);
  EXPECT_EQ(node.subgraphs()[0], body);
  EXPECT_EQ(node.attribute("to")->as_int(), 10);
  EXPECT_EQ(node.attribute("ref")->ref_attr_name, "alpha");
  EXPECT_EQ(type("ref"), AttributeType::kFloat);
}

TEST(Layer, ListsOfTensorsAreUnpackedAndNothingIsAnOmittedInput) {
  Model m = make_model();
  Graph& g = *m.graph;
  TensorList& two = g.layer({.op = "Split", .outputs = {"a", "b"}});
  g.layer({.op = "Op", .inputs = {two, {}, 1}, .outputs = {"c"}});
  EXPECT_THAT(names(g.nodes()[1]->inputs()),
              ElementsAre("a_0", "b_1", "", "onnx_graphsurgeon_lst_constant_3"));
}

TEST(Layer, WhatCannotBeAnInputChangesNothing) {
  Model m = make_model();
  Graph& g = *m.graph;
  const uint64_t edits = g.store().edits();
  const auto error = [&](const Layer& layer) -> std::string {
    try {
      g.layer(layer);
    } catch (const polygraphy::Error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error({.op = "Add", .inputs = {1, TensorRef()}, .outputs = {"x"}}),
            "input 1 of the new node '' (Add) is a null tensor");
  EXPECT_EQ(error({.op = "Add", .outputs = {make_subgraph(g)}}),
            "output 0 of the new node '' (Add) is a graph");
  EXPECT_EQ(error({.op = "Add", .attrs = {{"x", g.variable("v")}}}),
            "attribute 'x' cannot be the variable 'v'");
  EXPECT_TRUE(g.nodes().empty());
  EXPECT_EQ(g.store().edits(), edits + 1);  // of make_subgraph()
  EXPECT_EQ(g.layer({.op = "A", .outputs = {"x"}})[0]->name(), "x_0");
}

TEST(Layer, NamesStayUniqueWhenOthersEditTheGraph) {
  Model m = make_model();
  Graph& g = *m.graph;
  const auto next = [&] {
    return std::string(g.layer({.op = "A", .outputs = {"x"}, .name = ""})[0]->name());
  };
  EXPECT_EQ(next(), "x_0");
  g.nodes()[0]->outputs()[0]->set_name("x_1");  // a rename
  EXPECT_EQ(next(), "x_2");
  g.nodes()[0]->inputs().append(g.variable("x_3"));  // a slot
  EXPECT_EQ(next(), "x_4");
  g.mutable_outputs() = {g.variable("x_5")};  // a list
  EXPECT_EQ(next(), "x_6");
  const NodeRef node = Node::create(g.store(), "B", "onnx_graphsurgeon_node_9");
  node->outputs().append(g.variable("x_7"));
  g.append(node);
  EXPECT_EQ(next(), "x_8");
  EXPECT_EQ(g.layer({.op = "A"}).size(), 0u);
  EXPECT_EQ(g.nodes().back()->name(), "onnx_graphsurgeon_node_10");
  auto& nodes = g.mutable_nodes();
  nodes.clear();
  EXPECT_EQ(next(), "x_11");
}

TEST(Layer, EachGraphCountsForItself) {
  Model m = make_model();
  Graph& g = *m.graph;
  const TensorRef x = g.variable("x");
  const GraphRef sub = make_subgraph(g, "sub");
  EXPECT_THAT(names(g.layer({.op = "Neg", .inputs = {x}, .outputs = {"add_out"}})),
              ElementsAre("add_out_0"));
  EXPECT_THAT(names(sub->layer({.op = "Neg", .inputs = {x}, .outputs = {"add_out"}})),
              ElementsAre("add_out_0"));
  EXPECT_EQ(sub->nodes()[0]->name(), "onnx_graphsurgeon_node_1");
}

TEST(Function, IsCalledLikeTheOriginals) {
  Model m = make_model({.opset = 18});
  const FunctionRef f = make_function(
      m, {.name = "scaled", .domain = "own", .attrs = {{"factor", {}}, {"bias", 0.5}}});
  const TensorRef a = f->variable("a"), b = f->variable("b", DataType::kFloat32, {2});
  f->mutable_inputs() = {a};
  f->mutable_outputs() = {b};
  f->layer({.op = "Op",
            .inputs = {a},
            .outputs = {b},
            .attrs = {{"k", AttributeRef{"factor", AttributeType::kFloat}}}});
  EXPECT_THAT(f->required_attributes, ElementsAre("factor"));
  EXPECT_EQ(f->default_attributes[0].as_float(), 0.5f);
  EXPECT_EQ(f->opset_imports[0].version, 18);

  std::vector<std::string> warnings;
  polygraphy::Logger logger(
      [&](polygraphy::Severity, std::string_view text) { warnings.emplace_back(text); });
  TensorList& made =
      call_function(*m.graph, *f, {.inputs = {{}, 1}, .attrs = {{"bias", 1.5}}}, &logger);
  EXPECT_EQ(warnings.size(), 2u);
  EXPECT_THAT(names(made), ElementsAre("b_1"));
  EXPECT_EQ(made[0]->dtype(), DataType::kFloat32);
  EXPECT_EQ(made[0]->shape(), DimList{2});
  EXPECT_EQ(m.graph->nodes()[0]->op(), "scaled");
  EXPECT_EQ(m.graph->nodes()[0]->domain(), "own");
  EXPECT_THROW(make_function(m, {.name = "scaled", .domain = "own"}), polygraphy::Error);
}

TEST(MakeModel, HasTheOriginalsDefaults) {
  const Model m = make_model();
  EXPECT_EQ(m.opset(), 11);
  EXPECT_EQ(m.graph->name(), "onnx_graphsurgeon_graph");
  EXPECT_EQ(m.ir_version, 10);
  EXPECT_EQ(make_model({.opset = 23}).ir_version, 11);
  EXPECT_EQ(make_model({.ir_version = 8}).ir_version, 8);
}

}  // namespace
}  // namespace graphsurgeon
