#include "graphsurgeon/pattern/graph_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

using polygraphy::Error;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A graph from x and y to the outputs: `body` in ONNX's text form.
Model model(const std::string& body, const std::string& outputs = "z") {
  std::string results;
  for (size_t from = 0; from <= outputs.size();) {
    const size_t to = std::min(outputs.find(' ', from), outputs.size());
    results += (results.empty() ? "float[N] " : ", float[N] ") + outputs.substr(from, to - from);
    from = to + 1;
  }
  return parse_onnx_text(
      "<ir_version: 10, opset_import: [\"\" : 20]> g (float[N] x, float[N] y) => (" + results +
      ") <float[1] w = {1}, float[1] v = {2}> {" + body + "}");
}

std::vector<std::string> matches(const GraphPattern& pattern, const Model& model) {
  std::vector<std::string> texts;
  for (const PatternMapping& match : pattern.match_all(*model.graph)) texts.push_back(match.text());
  return texts;
}

template <typename F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return std::string(error.what()) + (error.hint().empty() ? "" : "\n" + error.hint());
  }
  return "no error";
}

// first(x) -> second
GraphPattern chain(const std::string& first, const std::string& second) {
  GraphPattern pattern;
  const auto a = pattern.add(first, first, {pattern.variable()});
  pattern.set_output_tensors({pattern.add(second, second, {a})});
  return pattern;
}

TEST(GraphPattern, FindsAChainWhereverItStands) {
  const Model m =
      model("[r1] a = Relu (x) [s1] b = Sigmoid (a) [r2] c = Relu (b) [s2] z = Sigmoid (c)");
  EXPECT_THAT(matches(chain("Relu", "Sigmoid"), m),
              ElementsAre("{Relu: r1, Sigmoid: s1}", "{Relu: r2, Sigmoid: s2}"));
  EXPECT_THAT(matches(chain("Relu", "Tanh"), m), IsEmpty());
}

TEST(GraphPattern, TellsWhatItsInputsAndOutputsAre) {
  const Model m = model("[mul] a = Mul (x, w) [add] z = Add (a, y)");
  GraphPattern pattern;
  const auto input = pattern.variable();
  const auto mul = pattern.add("scale", "Mul", {input, pattern.constant("factor")});
  const auto add = pattern.add("shift", "Add", {mul, pattern.variable()});
  pattern.set_output_tensors({add});
  const auto found = pattern.match_all(*m.graph);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(&found[0].node("scale"), m.graph->nodes()[0].get());
  EXPECT_EQ(&found[0].node("shift"), m.graph->nodes()[1].get());
  EXPECT_THAT(found[0].inputs(), ElementsAre(m.graph->inputs()[0], m.graph->inputs()[1]));
  EXPECT_THAT(found[0].outputs(), ElementsAre(m.graph->outputs()[0]));
  EXPECT_EQ(found[0].constant("factor").name(), "w");
  EXPECT_EQ(found[0].constants()[0].first, "factor");
}

TEST(GraphPattern, ConstantsAreConstantsAndMayBeShared) {
  GraphPattern pattern;
  const auto x = pattern.variable();
  pattern.set_output_tensors({pattern.add("mul", "Mul", {x, pattern.constant()})});
  EXPECT_THAT(
      matches(pattern, model("[m1] a = Mul (x, w) [m2] b = Mul (a, y) [m3] z = Mul (b, w)")),
      ElementsAre("{mul: m1}", "{mul: m3}"));
}

TEST(GraphPattern, OneConstantNameIsOneTensor) {
  GraphPattern pattern;
  const auto a = pattern.add("a", "Mul", {pattern.variable(), pattern.constant("k")});
  pattern.set_output_tensors({pattern.add("b", "Add", {a, pattern.constant("k")})});
  EXPECT_THAT(matches(pattern, model("a = Mul (x, w) z = Add (a, w)")), SizeIs(1));
  EXPECT_THAT(matches(pattern, model("a = Mul (x, w) z = Add (a, v)")), IsEmpty());
}

TEST(GraphPattern, VariablesTakeConstantsAndOmittedInputs) {
  GraphPattern pattern;
  const auto clip =
      pattern.add("clip", "Clip", {pattern.variable(), pattern.variable(), pattern.variable()});
  pattern.set_output_tensors({clip});
  const Model m = model("[c] z = Clip (x, , w)");
  const auto found = pattern.match_all(*m.graph);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_TRUE(found[0].inputs()[1]->is_empty());
  EXPECT_TRUE(found[0].inputs()[2]->is_constant());
}

TEST(GraphPattern, InputsFitByPositionAndNumber) {
  GraphPattern pattern;
  const auto x = pattern.variable();
  const auto relu = pattern.add("relu", "Relu", {x});
  pattern.set_output_tensors({pattern.add("sub", "Sub", {relu, x})});
  EXPECT_THAT(matches(pattern, model("a = Relu (x) z = Sub (a, x)")), SizeIs(1));
  EXPECT_THAT(matches(pattern, model("a = Relu (x) z = Sub (x, a)")), IsEmpty());
  EXPECT_THAT(matches(pattern, model("a = Relu (x) z = Sub (a, y)")), IsEmpty());
  EXPECT_THAT(matches(pattern, model("a = Relu (x) z = Sub (a, x, \"\")")), IsEmpty());
}

TEST(GraphPattern, TensorsWithinStayWithin) {
  const GraphPattern pattern = chain("Relu", "Neg");
  EXPECT_THAT(matches(pattern, model("a = Relu (x) z = Neg (a)", "z a")), IsEmpty());
  EXPECT_THAT(matches(pattern, model("a = Relu (x) z = Neg (a) b = Abs (a)", "z b")), IsEmpty());
  EXPECT_THAT(matches(pattern, model("a = Relu (x) z = Neg (a) b = Abs (z)", "z b")), SizeIs(1));
}

TEST(GraphPattern, WhatANestedGraphCapturesLeavesThePattern) {
  const Model m = model(R"(a = Relu (x) z = Neg (a) c = Cast <to = 9> (w)
      b = If (c) <then_branch = t () => (float[N] t1) { t1 = Abs (a) },
                  else_branch = e () => (float[N] e1) { e1 = Abs (y) }>)",
                        "z b");
  EXPECT_THAT(matches(chain("Relu", "Neg"), m), IsEmpty());
  EXPECT_THAT(matches(chain("Relu", "Abs"), m), IsEmpty());
}

TEST(GraphPattern, WithoutOutputTensorsNothingMayLeave) {
  GraphPattern pattern;
  pattern.add("relu", "Relu", {pattern.variable()});
  EXPECT_THAT(matches(pattern, model("z = Relu (x)")), IsEmpty());
  EXPECT_THAT(matches(pattern, model("a = Relu (x) z = Neg (x)")), ElementsAre("{relu: }"));
}

TEST(GraphPattern, ACheckDecidesLast) {
  GraphPattern pattern;
  const auto alpha_is_small = [](const Node& node) {
    return node.attribute("alpha")->as_float() < 0.1f;
  };
  pattern.set_output_tensors(
      {pattern.add("leaky", "LeakyRelu", {pattern.variable()}, 1, alpha_is_small)});
  EXPECT_THAT(matches(pattern, model("[big] a = LeakyRelu <alpha = 0.5> (x) "
                                     "[small] z = LeakyRelu <alpha = 0.01> (a)")),
              ElementsAre("{leaky: small}"));
}

// The original misses these: tensors within the pattern that lead to one node by two ways.
TEST(GraphPattern, TakesDiamondsAndResiduals) {
  GraphPattern diamond;
  const auto top = diamond.add("top", "Relu", {diamond.variable()});
  const auto left = diamond.add("left", "Neg", {top});
  const auto right = diamond.add("right", "Abs", {top});
  diamond.set_output_tensors({diamond.add("sum", "Add", {left, right})});
  EXPECT_THAT(matches(diamond,
                      model("[t] a = Relu (x) [n] b = Neg (a) [m] c = Abs (a) [s] z = Add (b, c)")),
              ElementsAre("{top: t, left: n, sum: s, right: m}"));
  EXPECT_THAT(matches(diamond, model("a = Relu (x) b = Neg (a) c = Abs (a) z = Add (c, b)")),
              IsEmpty());
}

// Which of two equal branches is which is only known at the end of both. Both nodes of the graph
// are unnamed: identity distinguishes producers.
TEST(GraphPattern, TakesBackAWrongChoice) {
  GraphPattern pattern;
  const auto x = pattern.variable();
  const auto a = pattern.add("a", "Relu", {x});
  const auto b = pattern.add("b", "Relu", {x});
  const auto neg = pattern.add("neg", "Neg", {a});
  const auto abs = pattern.add("abs", "Abs", {b});
  pattern.set_output_tensors({neg, abs});
  const Model m = model("p = Relu (x) q = Relu (x) r = Relu (x) u = Neg (r) z = Abs (q)", "z u p");
  const auto found = pattern.match_all(*m.graph);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(&found[0].node("a"), m.graph->nodes()[2].get());
  EXPECT_EQ(&found[0].node("b"), m.graph->nodes()[1].get());
}

TEST(GraphPattern, ANodeStandsForOneOfThePatternOnly) {
  GraphPattern pattern;
  const auto x = pattern.variable();
  pattern.set_output_tensors({pattern.add("a", "Relu", {x}), pattern.add("b", "Relu", {x})});
  EXPECT_THAT(matches(pattern, model("z = Relu (x)")), IsEmpty());
  EXPECT_THAT(matches(pattern, model("[p] z = Relu (x) [q] u = Relu (x)", "z u")),
              ElementsAre("{a: p, b: q}", "{a: q, b: p}"));
}

TEST(GraphPattern, MatchesOverlap) {
  const Model m = model("[p] a = Relu (x) [q] b = Relu (a) [r] z = Relu (b)");
  GraphPattern pattern;
  const auto first = pattern.add("first", "Relu", {pattern.variable()});
  pattern.set_output_tensors({pattern.add("second", "Relu", {first})});
  EXPECT_THAT(matches(pattern, m), ElementsAre("{first: p, second: q}", "{first: q, second: r}"));
}

TEST(GraphPattern, StandsInAnother) {
  GraphPattern twice;
  const GraphPattern part = chain("Relu", "Neg");
  const auto first = twice.add("p", part, {twice.variable()});
  twice.set_output_tensors({twice.add("q", part, {first})});
  const Model m = model("[r1] a = Relu (x) [n1] b = Neg (a) [r2] c = Relu (b) [n2] z = Neg (c)");
  const auto found = twice.match_all(*m.graph);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].text(), "{p: {Relu: r1, Neg: n1}, q: {Relu: r2, Neg: n2}}");
  EXPECT_EQ(found[0].sub("p").outputs(), found[0].sub("q").inputs());
  EXPECT_EQ(found[0].sub("q").node("Neg").name(), "n2");
  // The connecting tensor is internal, although each of the two allows outside consumers of its
  // output.
  EXPECT_THAT(matches(twice, model("a = Relu (x) b = Neg (a) c = Relu (b) z = Neg (c)", "z b")),
              IsEmpty());
}

TEST(GraphPattern, MatchesOutliveTheGraph) {
  std::vector<PatternMapping> found;
  {
    const Model m = model("[r] a = Relu (x) [n] z = Neg (a)");
    found = chain("Relu", "Neg").match_all(*m.graph);
  }
  EXPECT_EQ(found.at(0).node("Neg").name(), "n");
}

TEST(GraphPattern, SaysWhatIsMisused) {
  GraphPattern p;
  const auto x = p.variable();
  p.add("a", "Relu", {x});
  const auto two = p.add("split", "Split", {x}, 2);
  EXPECT_EQ(error_of([&] { p.add("a", "Neg", {x}); }), "the pattern already has a node 'a'");
  EXPECT_EQ(error_of([&] { p.add("b", "Neg", {x, PatternTensor{99}}); }),
            "input 1 of node 'b' of the pattern is tensor 99, but the pattern has 4 tensors\nUse "
            "tensors returned by variable(), constant() and add() of this pattern.");
  EXPECT_EQ(error_of([&] { p.add("b", "", {x}); }),
            "node 'b' of the pattern has an empty operator");
  EXPECT_EQ(error_of([&] { p.add("b", "Neg", {two}); }),
            "node 'split' of the pattern has 2 outputs, but one tensor is needed\nChoose one: "
            "outputs[0].");
  EXPECT_EQ(error_of([&] { p.add("b", "Neg", {two[2]}); }),
            "node 'split' of the pattern has 2 outputs, but no output 2");
  EXPECT_EQ(error_of([&] { p.set_output_tensors({PatternTensor{-1}}); }),
            "output 0 of the pattern is tensor -1, but the pattern has 4 tensors\nUse tensors "
            "returned by variable(), constant() and add() of this pattern.");
  EXPECT_EQ(error_of([&] { p.add("c", chain("Relu", "Neg"), {}); }),
            "pattern 'c' has 1 variables, but received 0 inputs");
  EXPECT_EQ(error_of([&] { p.add("c", GraphPattern()); }), "pattern 'c' has no nodes");
}

TEST(GraphPattern, SaysWhyItCannotBeMatched) {
  const Model m = model("z = Relu (x)");
  GraphPattern p;
  EXPECT_THAT(error_of([&] { p.match_all(*m.graph); }), HasSubstr("no variable to start from"));
  p.variable();
  EXPECT_THAT(error_of([&] { p.match_all(*m.graph); }),
              HasSubstr("no operator of the pattern consumes its first variable"));
  GraphPattern apart;
  apart.add("a", "Relu", {apart.variable()});
  apart.add("b", "Neg", {apart.variable()});
  EXPECT_THAT(error_of([&] { apart.match_all(*m.graph); }),
              HasSubstr("no tensor leads from its first variable to node 'b'"));
}

TEST(GraphPattern, MappingsKnowTheirNames) {
  const auto found = chain("Relu", "Neg").match_all(*model("a = Relu (x) z = Neg (a)").graph);
  EXPECT_TRUE(found.at(0).contains("Relu"));
  EXPECT_FALSE(found[0].contains("Conv"));
  EXPECT_EQ(error_of([&] { found[0].node("Conv"); }),
            "the pattern has no node 'Conv'\nIt has 'Relu', 'Neg'.");
  EXPECT_EQ(error_of([&] { found[0].sub("Neg"); }),
            "'Neg' is a node, not a pattern\nUse node(\"Neg\").");
  EXPECT_EQ(error_of([&] { found[0].constant("w"); }),
            "the pattern has no constant 'w'\nIt has nothing.");
}

// 100,000 nodes in one chain, and a pattern as long: no recursion into the graph, nothing
// quadratic.
TEST(GraphPattern, IsQuickOnLongGraphs) {
  Store* store = Store::create();
  const GraphRef graph = Graph::create(*store, "chain");
  TensorRef tensor = Tensor::variable(*store, "x");
  graph->mutable_inputs().push_back(tensor);
  for (int i = 0; i < 100000; ++i) {
    const NodeRef node = Node::create(*store, i % 2 ? "Neg" : "Relu");
    node->inputs().append(tensor);
    tensor = Tensor::variable(*store, "t" + std::to_string(i));
    node->outputs().append(tensor);
    graph->mutable_nodes().push_back(node);
  }
  graph->mutable_outputs().push_back(tensor);
  const PatternIndex index(*graph);
  const std::clock_t begin = std::clock();
  const GraphPattern pattern = chain("Relu", "Neg");
  for (int i = 0; i < 10; ++i) EXPECT_THAT(pattern.match_all(index), SizeIs(50000));
  for (int i = 0; i < 1000; ++i) EXPECT_THAT(chain("Conv", "Neg").match_all(index), IsEmpty());
  EXPECT_LT(std::clock() - begin, 10 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace graphsurgeon
