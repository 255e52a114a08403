#include "graphsurgeon/passes/cleanup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/passes/testdata/graph_names.h"

namespace graphsurgeon {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Cleanup, DropsWhatNoOutputNeedsAndUnlinksIt) {
  Model m = parse_onnx_text(R"(g (float[2] x, float[2] unused) => (float[2] y)
      <float[2] w = {1, 2}, float[2] v = {3, 4}, float[2] info> {
    a = Add(x, w)
    info = Neg(a)
    b = Mul(a, v)
    y = Relu(a)
  })");
  const NodeRef mul = m.graph->nodes()[2];
  cleanup(m);
  EXPECT_THAT(ops(*m.graph), ElementsAre("Add", "Relu"));
  EXPECT_THAT(names(m.graph->initializers()), ElementsAre("w"));
  EXPECT_THAT(names(m.graph->value_infos()), IsEmpty());
  EXPECT_THAT(names(m.graph->inputs()), ElementsAre("x", "unused"));
  EXPECT_TRUE(mul->inputs().empty());
  EXPECT_TRUE(mul->outputs().empty());
  EXPECT_EQ(m.graph->tensor_map().at("a")->consumers().size(), 1u);
}

TEST(Cleanup, CountsNoEditWhereNothingIsUnused) {
  Model m = parse_onnx_text("g (float[2] x) => (float[2] y) { a = Neg(x) y = Relu(a) }");
  const uint64_t edits = m.graph->store().edits();
  cleanup(m);
  EXPECT_EQ(m.graph->store().edits(), edits);
}

TEST(Cleanup, RemovesUnusedInputsOnlyWhenAsked) {
  const char* text = R"(g (float[2] x, float[2] unused, bool c) => (float[2] y) {
    y = If(c) <then_branch = t () => (float[2] p) { p = Neg(x) },
               else_branch = e () => (float[2] q) { q = Relu(x) }>
  })";
  Model m = parse_onnx_text(text);
  cleanup(m);
  EXPECT_THAT(names(m.graph->inputs()), ElementsAre("x", "unused", "c"));
  cleanup(m, {.remove_unused_graph_inputs = true});
  EXPECT_THAT(names(m.graph->inputs()), ElementsAre("x", "c"));
}

TEST(Cleanup, KeepsWhatSubgraphsCapture) {
  Model m = parse_onnx_text(R"(g (float[2] x, bool c) => (float[2] y)
      <float[2] w = {1, 2}, float[2] unused = {1, 2}> {
    a = Neg(x)
    b = Exp(x)
    y = If(c) <
      then_branch = t () => (float[2] p) { p = Add(a, w) dead = Sub(b, b) },
      else_branch = e () => (float[2] q) {
        q = If(c) <then_branch = t2 () => (float[2] r) { r = Relu(a) },
                   else_branch = e2 () => (float[2] s) { s = Mul(a, w) }>
      }>
  })");
  cleanup(m);
  EXPECT_THAT(ops(*m.graph), ElementsAre("Neg", "If"));
  EXPECT_THAT(names(m.graph->initializers()), ElementsAre("w"));
  EXPECT_THAT(ops(*m.graph->nodes()[1]->subgraphs()[0]), ElementsAre("Add"));
}

TEST(Cleanup, LeavesSubgraphsAloneWhenAsked) {
  Model m = parse_onnx_text(R"(g (float[2] x, bool c) => (float[2] y) {
    b = Exp(x)
    y = If(c) <
      then_branch = t () => (float[2] p) { p = Neg(x) dead = Sub(b, b) },
      else_branch = e () => (float[2] q) { q = Relu(x) }>
  })");
  cleanup(m, {.recurse_subgraphs = false});
  EXPECT_THAT(ops(*m.graph), ElementsAre("Exp", "If"));
  EXPECT_THAT(ops(*m.graph->nodes()[1]->subgraphs()[0]), ElementsAre("Neg", "Sub"));
}

TEST(Cleanup, CleansFunctionsOnceAndKeepsTheirPositionalInputs) {
  Model m = parse_onnx_text(R"(<ir_version: 10, opset_import: ["": 20, "l": 1]>
  g (float[2] x) => (float[2] y) { y = l.f(x, x) }
  <opset_import: ["": 20], domain: "l">
  f (a, b) => (c) { dead = Neg(a) c = Relu(a) })");
  cleanup(m, {.remove_unused_graph_inputs = true});
  EXPECT_THAT(ops(*m.functions[0]), ElementsAre("Relu"));
  EXPECT_THAT(names(m.functions[0]->inputs()), ElementsAre("a", "b"));
  check_model(m);
}

TEST(Cleanup, FunctionsStayAsTheyAreWhenAsked) {
  Model m = parse_onnx_text(R"(<ir_version: 10, opset_import: ["": 20, "l": 1]>
  g (float[2] x) => (float[2] y) { y = l.f(x) }
  <opset_import: ["": 20], domain: "l">
  f (a) => (c) { dead = Neg(a) c = Relu(a) })");
  cleanup(m, {.recurse_functions = false});
  EXPECT_THAT(ops(*m.functions[0]), ElementsAre("Neg", "Relu"));
}

TEST(Cleanup, UnlinksTheProducersOfInputs) {
  Model m = parse_onnx_text("g (float[2] x) => (float[2] y) { a = Neg(x) b = Exp(a) y = Relu(b) }");
  m.graph->mutable_inputs() = {m.graph->nodes()[1]->outputs()[0]};
  cleanup(m);
  EXPECT_THAT(ops(*m.graph), ElementsAre("Relu"));
  EXPECT_EQ(m.graph->inputs()[0]->producer(), nullptr);
}

TEST(Cleanup, UnlinksTheProducersOfConstants) {
  Model m =
      parse_onnx_text("g (float[2] x) => (float[2] y) { a = Neg(x) b = Exp(a) y = Add(b, a) }");
  m.graph->nodes()[1]->outputs()[0]->to_constant(owned_payload(Array::of<float>({2}, {1, 2})));
  cleanup(m);
  EXPECT_THAT(ops(*m.graph), ElementsAre("Neg", "Add"));
  check_model(m);
}

// Taking the slot away would turn the indices into the values.
TEST(Cleanup, OtherOutputsOfAnInputsProducerKeepTheirPlaces) {
  Model m = parse_onnx_text(R"(g (float[4] x) => (float[2] y, int64[2] i) <int64[1] k = {2}> {
    v, i = TopK(x, k)
    y = Relu(v)
  })");
  m.graph->mutable_inputs().push_back(m.graph->nodes()[0]->outputs()[0]);
  cleanup(m);
  EXPECT_THAT(names(m.graph->nodes()[0]->outputs()), ElementsAre("v_unused_0", "i"));
  EXPECT_EQ(m.graph->nodes()[1]->inputs()[0], m.graph->inputs()[1].get());
}

TEST(Cleanup, UnusedOutputsAreOmittedWithoutMovingTheOthers) {
  Model m = parse_onnx_text(R"(g (float[3,1,4] x) => (float[1,1,5] c, float[2] v)
      <float[1,20,4] w, float[1,20,5] r, int64[1] k = {2}> {
    all, h, c = LSTM <hidden_size = 5> (x, w, r)
    v, i = TopK(x, k)
  })");
  cleanup(m, {.remove_unused_node_outputs = true});
  EXPECT_THAT(names(m.graph->nodes()[0]->outputs()), ElementsAre("", "", "c"));
  // TopK has both outputs or no output.
  EXPECT_THAT(names(m.graph->nodes()[1]->outputs()), ElementsAre("v", "i"));
}

TEST(Cleanup, UnusedLastOutputsAreTakenOff) {
  Model m = parse_onnx_text(R"(<ir_version: 10, opset_import: ["": 20, "own": 1]>
  g (float[2] x) => (float[2] a) { a, b, c = own.Op(x) d = own.Op(c) })");
  cleanup(m);
  EXPECT_THAT(names(m.graph->nodes()[0]->outputs()), ElementsAre("a", "b", "c"));
  cleanup(m, {.remove_unused_node_outputs = true});
  EXPECT_THAT(names(m.graph->nodes()[0]->outputs()), ElementsAre("a"));
}

TEST(Cleanup, InitializersThatAreInputsOrOutputs) {
  Model m = parse_onnx_text(R"(<ir_version: 3, opset_import: ["": 8]>
  g (float[2] x, float[2] w, float[2] u, float[2] k) => (float[2] y, float[2] k)
      <float[2] w = {1, 2}, float[2] u = {3, 4}, float[2] k = {5, 6}> {
    y = Add(x, w)
  })");
  cleanup(m);
  EXPECT_THAT(names(m.graph->inputs()), ElementsAre("x", "w", "k"));
  EXPECT_THAT(names(m.graph->initializers()), ElementsAre("w", "k"));
  check_model(m);
}

TEST(Cleanup, KeepsTheOrderOfInputsThatAreOutputsToo) {
  Model m = parse_onnx_text(
      "g (float[2] x, float[2] y) => (float[2] z, float[2] y, float[2] x)"
      " { z = Sub(y, x) }");
  cleanup(m);
  EXPECT_THAT(names(m.graph->nodes()[0]->inputs()), ElementsAre("y", "x"));
  EXPECT_THAT(names(m.graph->outputs()), ElementsAre("z", "y", "x"));
}

TEST(Cleanup, AnOutputThatNothingProducesIsSkipped) {
  Model m = parse_onnx_text("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  m.graph->mutable_outputs().push_back(Tensor::variable(m.graph->store(), "nowhere"));
  cleanup(m);
  EXPECT_THAT(names(m.graph->outputs()), ElementsAre("y", "nowhere"));
  EXPECT_THAT(ops(*m.graph), ElementsAre("Relu"));
}

// The file connects by names.
TEST(Cleanup, AnotherObjectOfTheSameNameKeepsItsProducer) {
  Model m = parse_onnx_text("g (float[2] x) => (float[2] y) { a = Neg(x) y = Relu(a) }");
  m.graph->nodes()[1]->inputs().set(0, Tensor::variable(m.graph->store(), "a"));
  cleanup(m);
  EXPECT_THAT(ops(*m.graph), ElementsAre("Neg", "Relu"));
  check_model(m);
}

TEST(Cleanup, ANodeListedTwiceStaysOnce) {
  Model m = parse_onnx_text("g (float[2] x) => (float[2] y) { a = Neg(x) y = Relu(a) }");
  m.graph->mutable_nodes().push_back(m.graph->nodes()[0]);
  cleanup(m);
  EXPECT_THAT(ops(*m.graph), ElementsAre("Neg", "Relu"));
  EXPECT_THAT(names(m.graph->nodes()[0]->inputs()), ElementsAre("x"));
}

TEST(Cleanup, OneSubgraphOfTwoNodes) {
  Model m = parse_onnx_text(R"(g (float[2] x, bool c) => (float[2] y) {
    a = Neg(x)
    y = If(c) <then_branch = t () => (float[2] p) { dead = Exp(a) p = Abs(a) },
               else_branch = e () => (float[2] q) { q = Relu(x) }>
  })");
  Node& node = *m.graph->nodes()[1];
  Attribute shared = *node.attribute("then_branch");
  shared.name = "else_branch";
  node.set_attribute(shared);
  const NodeRef unused = Node::create(m.graph->store(), "If");
  unused->set_attribute(shared);
  m.graph->mutable_nodes().push_back(unused);
  cleanup(m);
  EXPECT_THAT(ops(*m.graph), ElementsAre("Neg", "If"));
  EXPECT_THAT(ops(*node.subgraphs()[0]), ElementsAre("Abs"));
}

TEST(Cleanup, LongChainsAreNoProblem) {
  Model m = parse_onnx_text("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  Store& store = m.graph->store();
  std::vector<NodeRef>& nodes = m.graph->mutable_nodes();
  TensorRef last = m.graph->inputs()[0];
  for (int i = 0; i < 100'000; ++i) {
    const NodeRef node = Node::create(store, "Neg");
    node->inputs().append(last);
    last = Tensor::variable(store, "t" + std::to_string(i));
    node->outputs().append(last);
    nodes.push_back(node);
  }
  cleanup(m);
  EXPECT_EQ(m.graph->nodes().size(), 1u);
}

}  // namespace
}  // namespace graphsurgeon
