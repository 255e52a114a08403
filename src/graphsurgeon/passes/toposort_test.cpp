#include "graphsurgeon/passes/toposort.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/passes/testdata/graph_names.h"

namespace graphsurgeon {
namespace {

using ::testing::ElementsAre;

std::string error_of(Model& m) {
  try {
    toposort(m);
  } catch (const polygraphy::Error& error) {
    return error.what();
  }
  return "no error";
}

// The text form demands sorted nodes.
void reverse(Graph& graph) {
  std::reverse(graph.mutable_nodes().begin(), graph.mutable_nodes().end());
}

TEST(Toposort, SortsByLevel) {
  Model m = parse_onnx_text(R"(g (float[2] x) => (float[2] y) {
    a = Neg(x)  b = Exp(a)  c = Abs(x)  d = Sqrt(c)  y = Add(b, d)
  })");
  toposort(m);
  EXPECT_THAT(ops(*m.graph), ElementsAre("Neg", "Abs", "Exp", "Sqrt", "Add"));
  const uint64_t edits = m.graph->store().edits();
  toposort(m);
  EXPECT_EQ(m.graph->store().edits(), edits);
}

// As the original does: producers first, depth first over the old list.
TEST(Toposort, NodesOfOneLevelComeInTheOrderInWhichTheyAreReached) {
  Model m = parse_onnx_text(R"(g (float[2] x) => (float[2] y, float[2] z) {
    first = Neg(x)  second = Exp(x)  y = Abs(second)  z = Sqrt(first)
  })");
  std::vector<NodeRef>& nodes = m.graph->mutable_nodes();
  nodes = {nodes[2], nodes[0], nodes[1], nodes[3]};
  toposort(m);
  EXPECT_THAT(ops(*m.graph), ElementsAre("Exp", "Neg", "Abs", "Sqrt"));
}

TEST(Toposort, WhatSubgraphsCaptureCounts) {
  Model m = parse_onnx_text(R"(g (float[2] x, bool c) => (float[2] y) {
    a = Neg(x)
    b = Exp(a)
    y = If(c) <
      then_branch = t () => (float[2] p) { s = Sin(b) p = Cos(s) },
      else_branch = e () => (float[2] q) {
        q = If(c) <then_branch = t2 () => (float[2] r) { r = Relu(b) },
                   else_branch = e2 () => (float[2] u) { u = Mul(a, a) }>
      }>
  })");
  reverse(*m.graph);
  const GraphRef inner = m.graph->nodes()[0]->subgraphs()[0];
  reverse(*inner);
  toposort(m);
  EXPECT_THAT(ops(*m.graph), ElementsAre("Neg", "Exp", "If"));
  EXPECT_THAT(ops(*inner), ElementsAre("Sin", "Cos"));
  reverse(*inner);
  reverse(*m.graph);
  toposort(m, {.recurse_subgraphs = false});
  EXPECT_THAT(ops(*m.graph), ElementsAre("Neg", "Exp", "If"));
  EXPECT_THAT(ops(*inner), ElementsAre("Cos", "Sin"));
}

TEST(Toposort, ModesAndFunctions) {
  const auto make = [] {
    Model m = parse_onnx_text(R"(<ir_version: 10, opset_import: ["": 20, "l": 1]>
    g (float[2] x) => (float[2] y) { a = l.outer(x)  y = Relu(a) }
    <opset_import: ["": 20, "l": 1], domain: "l"> outer (a) => (c) { b = l.middle(a) c = Neg(b) }
    <opset_import: ["": 20, "l": 1], domain: "l"> middle (a) => (c) {
      t = Constant <value_int = 1> ()
      i = Cast <to = 9> (t)
      c = If(i) <then_branch = t () => (p) { p = l.inner(a) },
                 else_branch = e () => (q) { q = Abs(a) }>
    }
    <opset_import: ["": 20], domain: "l"> inner (a) => (c) { c = Sqrt(a) })");
    reverse(*m.graph);
    for (const auto& f : m.functions) reverse(*f);
    return m;
  };
  const auto functions = [](const Model& m) {
    std::vector<std::string> names;
    for (const auto& f : m.functions) names.emplace_back(f->name());
    return names;
  };
  Model m = make();
  toposort(m);
  EXPECT_THAT(functions(m), ElementsAre("inner", "middle", "outer"));
  EXPECT_THAT(ops(*m.graph), ElementsAre("outer", "Relu"));
  EXPECT_THAT(ops(*m.functions[1]), ElementsAre("Constant", "Cast", "If"));
  m = make();
  toposort(m, {.mode = ToposortMode::kFunctions});
  EXPECT_THAT(functions(m), ElementsAre("inner", "middle", "outer"));
  EXPECT_THAT(ops(*m.graph), ElementsAre("Relu", "outer"));
  m = make();
  toposort(m, {.mode = ToposortMode::kNodes});
  EXPECT_THAT(functions(m), ElementsAre("outer", "middle", "inner"));
  EXPECT_THAT(ops(*m.graph), ElementsAre("outer", "Relu"));
  EXPECT_THAT(ops(*m.functions[0]), ElementsAre("middle", "Neg"));
  m = make();
  toposort(m, {.recurse_functions = false});
  EXPECT_THAT(ops(*m.functions[2]), ElementsAre("Neg", "middle"));
}

TEST(Toposort, NamesTheNodesOfACycle) {
  Model m = parse_onnx_text(R"(g (float[2] x) => (float[2] y) {
    a = Neg(x)  b = Exp(a)  c = Abs(b)  y = Sqrt(c)
  })");
  const auto& nodes = m.graph->nodes();
  nodes[0]->set_name("first");
  nodes[2]->set_name("last");
  nodes[0]->inputs().set(0, nodes[2]->outputs()[0]);
  const std::vector<NodeRef> before = nodes;
  EXPECT_EQ(error_of(m),
            "graph 'g' has a cycle of 3 nodes: node 1 (Exp) -> 'last' (Abs) -> 'first' (Neg) -> "
            "node 1 (Exp)");
  EXPECT_EQ(nodes, before);
  nodes[0]->inputs().set(0, nodes[0]->outputs()[0]);
  EXPECT_EQ(error_of(m), "graph 'g' has a cycle of 1 node: 'first' (Neg) -> 'first' (Neg)");
}

TEST(Toposort, DiamondsAreNoCycles) {
  Model m = parse_onnx_text(R"(g (float[2] x) => (float[2] y) {
    a = Neg(x)  b = Exp(a)  c = Add(a, b)  d = Add(a, c)  y = Add(c, d)
  })");
  reverse(*m.graph);
  toposort(m);
  EXPECT_THAT(ops(*m.graph), ElementsAre("Neg", "Exp", "Add", "Add", "Add"));
}

TEST(Toposort, ACycleThroughASubgraph) {
  Model m = parse_onnx_text(R"(g (float[2] x, bool c) => (float[2] y) {
    a = Neg(x)
    y = If(c) <then_branch = t () => (float[2] p) { p = Abs(a) },
               else_branch = e () => (float[2] q) { q = Relu(x) }>
  })");
  m.graph->nodes()[0]->inputs().set(0, m.graph->nodes()[1]->outputs()[0]);
  EXPECT_EQ(error_of(m),
            "graph 'g' has a cycle of 2 nodes: node 1 (If) -> node 0 (Neg) -> node 1 (If)");
}

TEST(Toposort, RecursiveFunctions) {
  Model m = parse_onnx_text(R"(<ir_version: 10, opset_import: ["": 20, "l": 1]>
  g (float[2] x) => (float[2] y) { y = l.f(x) }
  <opset_import: ["": 20, "l": 1], domain: "l"> f (a) => (c) { b = l.h(a) c = Neg(b) }
  <opset_import: ["": 20, "l": 1], domain: "l"> h (a) => (c) { c = l.f(a) })");
  EXPECT_EQ(error_of(m),
            "functions of the model call each other in a cycle: 'l:f' -> 'l:h' -> 'l:f'");
}

TEST(Toposort, LongChainsAreNoProblem) {
  Model m = parse_onnx_text("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  Store& store = m.graph->store();
  std::vector<NodeRef>& nodes = m.graph->mutable_nodes();
  TensorRef last = m.graph->inputs()[0];
  for (int i = 0; i < 100'000; ++i) {
    const NodeRef node = Node::create(store, "Neg", std::to_string(i));
    node->inputs().append(last);
    last = Tensor::variable(store, "t" + std::to_string(i));
    node->outputs().append(last);
    nodes.push_back(node);
  }
  reverse(*m.graph);
  toposort(m);
  EXPECT_EQ(nodes.back()->name(), "99999");
  EXPECT_TRUE(std::is_sorted(nodes.begin() + 2, nodes.end(), [](const auto& a, const auto& b) {
    return std::stoi(std::string(a->name())) < std::stoi(std::string(b->name()));
  }));
}

TEST(Toposort, ANodeListedTwiceStaysOnce) {
  Model m = parse_onnx_text("g (float[2] x) => (float[2] y) { a = Neg(x) y = Relu(a) }");
  m.graph->mutable_nodes().insert(m.graph->mutable_nodes().begin(), m.graph->nodes()[1]);
  toposort(m);
  EXPECT_THAT(ops(*m.graph), ElementsAre("Neg", "Relu"));
}

TEST(IsSorted, LooksAtTheOuterGraphAndAtCaptures) {
  Model m = parse_onnx_text(R"(g (float[2] x, bool c) => (float[2] y) {
    a = Neg(x)
    y = If (c) <then_branch = T () => (float[2] t) { s = Exp (a)  t = Abs (s) },
                else_branch = E () => (float[2] e) { e = Abs (x) }>
  })");
  EXPECT_TRUE(is_sorted(*m.graph));
  reverse(*m.graph->nodes()[1]->subgraphs()[0]);
  EXPECT_TRUE(is_sorted(*m.graph));
  reverse(*m.graph);
  EXPECT_FALSE(is_sorted(*m.graph));
}

}  // namespace
}  // namespace graphsurgeon
