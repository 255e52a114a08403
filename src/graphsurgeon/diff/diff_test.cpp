#include "graphsurgeon/diff/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/diff/attribute_diff.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/passes/extract.h"
#include "graphsurgeon/passes/insert_node.h"
#include "graphsurgeon/passes/testdata/texts.h"

namespace graphsurgeon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

void put(std::vector<std::string>& lines, const std::string& where,
         const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    lines.push_back(where + change.what + ": " + change.before.value_or("-") + " => " +
                    change.after.value_or("-"));
  }
}

// "+ node Foo (a -> b)", "~ node Relu: op: Relu => Tanh", one line per change.
std::vector<std::string> lines_of(const DiffReport& report) {
  std::vector<std::string> lines;
  const auto put_items = [&](const std::string& kind, const std::vector<DiffItem>& items) {
    for (const DiffItem& item : items) {
      const std::string label = kind + (item.op.empty() ? item.name : item.op);
      if (item.state == DiffState::kAdded)
        lines.push_back("+ " + label + " (" + item.details + ")");
      if (item.state == DiffState::kRemoved)
        lines.push_back("- " + label + " (" + item.details + ")");
      put(lines, "~ " + label + ": ", item.changes);
      if (item.values) lines.push_back("~ " + label + ": " + to_text(*item.values));
    }
  };
  put(lines, "model ", report.model);
  put_items("function ", report.functions);
  for (const GraphDiff& graph : report.graphs) {
    const std::string in = graph.path.empty() ? "" : graph.path + ": ";
    put(lines, in + "graph ", graph.changes);
    put_items(in + "input ", graph.inputs);
    put_items(in + "output ", graph.outputs);
    put_items(in, graph.nodes);
    put_items(in + "weight ", graph.initializers);
  }
  return lines;
}

std::vector<std::string> changes(const Model& a, const Model& b, const DiffOptions& options = {}) {
  return lines_of(diff(a, b, options));
}

std::vector<std::string> changes(std::string_view a, std::string_view b,
                                 const DiffOptions& options = {}) {
  return changes(parse_onnx_text(a), parse_onnx_text(b), options);
}

constexpr DiffOptions kStructure{.names = false};

constexpr std::string_view kChain = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[N] x) => (float[N] y, float[N] z) {
  a = Relu (x)
  b = Exp (a)
  y = Neg (b)
  z = Tanh (a)
})";

TEST(Diff, NothingBetweenEqualModels) {
  EXPECT_THAT(changes(kChain, kChain), IsEmpty());
  EXPECT_THAT(changes(kChain, kChain, kStructure), IsEmpty());
}

TEST(Diff, InitializersOfOneNameArePairedInTheirOrder) {
  const auto model = [](int last) {
    Model made = parse_onnx_text(R"(g (float[1] x) => (float[1] y)
      <float[1] w = {1}, float[1] b = {2}, float[1] c = {3}> { y = Sum(x, w, b, c) })");
    for (const TensorRef& tensor : made.graph->initializers()) tensor->set_name("w");
    made.graph->initializers().back()->replace_values(
        owned_payload(polygraphy::Array::of<float>({1}, {static_cast<float>(last)})));
    return made;
  };
  EXPECT_THAT(changes(model(3), model(3)), IsEmpty());
  EXPECT_THAT(changes(model(3), model(4)), testing::SizeIs(1));
}

TEST(Diff, AnInitializerWithoutANameIsPaired) {
  Model model =
      parse_onnx_text("g (float[1] x) => (float[1] y) <float[1] w = {1}> { y = Clip(x, , w) }");
  model.graph->initializers().front()->set_name("");
  EXPECT_THAT(changes(model, model), IsEmpty());
}

TEST(Diff, OutputsOfOneNameArePairedInTheirOrder) {
  Model twice = parse_onnx_text("g (float[1] x) => (float[1] y) { y = Relu(x) }");
  const Model once = copy(twice);
  twice.graph->mutable_outputs().push_back(twice.graph->outputs().front());
  EXPECT_THAT(changes(twice, twice), IsEmpty());
  EXPECT_THAT(changes(once, twice), ElementsAre("+ output y (float32[1])"));
}

TEST(Diff, ShapesThatInputsDeclareForConstants) {
  const auto model = [](const std::string& shape) {
    return "g (float[1] x, float" + shape + R"( w) => (float[1] y) <float[1] w = {1}>
      { y = Add(x, w) })";
  };
  EXPECT_THAT(changes(model("[1]"), model("[1]")), IsEmpty());
  EXPECT_THAT(changes(model("[1]"), model("[N]")),
              ElementsAre("~ input w: type: float32[1] => float32['N']"));
}

TEST(Diff, TheOrderOfNodesAndAttributesDoesNotCount) {
  EXPECT_THAT(changes("g (float[4] x) => (y, z) { a = Relu (x) z = LRN <size = 3, alpha = 0.5> (a) "
                      "y = Exp (a) }",
                      "g (float[4] x) => (y, z) { a = Relu (x) y = Exp (a) "
                      "z = LRN <alpha = 0.5, size = 3> (a) }"),
              IsEmpty());
}

TEST(Diff, AttributesWithBothValues) {
  EXPECT_THAT(changes("g (float[4] x) => (y) { y = Foo <axis = 1, old = \"a\"> (x) }",
                      "g (float[4] x) => (y) { y = Foo <axis = 2, new = [1, 2]> (x) }"),
              ElementsAre("~ Foo: attribute 'axis': 1 => 2", "~ Foo: attribute 'new': - => [1, 2]",
                          "~ Foo: attribute 'old': 'a' => -"));
}

TEST(Diff, AnInsertedNodeAndWhoReadsIt) {
  Model model = parse_onnx_text(kChain);
  const Model before = copy(model);
  insert_node(model,
              {.op = "Foo", .inputs = find_all(model, {"b"}), .outputs = find_all(model, {"b"})});
  EXPECT_THAT(changes(before, model),
              ElementsAre("+ Foo ('b' -> 'b_polygraphy_surgeon_insert_output')",
                          "~ Neg: input 0: 'b' => 'b_polygraphy_surgeon_insert_output'"));
}

TEST(Diff, WhatAnInsertedNodeReplaced) {
  Model model = parse_onnx_text(kChain);
  const Model before = copy(model);
  insert_node(model,
              {.op = "Foo", .inputs = find_all(model, {"a"}), .outputs = find_all(model, {"y"})});
  EXPECT_THAT(changes(before, model),
              ElementsAre("+ Foo ('a' -> 'y')", "- Exp ('a' -> 'b')", "- Neg ('b' -> 'y')"));
}

TEST(Diff, AReplacedOperatorIsOneNode) {
  EXPECT_THAT(changes("g (float[4] x) => (y) { a = Relu (x) b = Exp (a) y = Neg (b) }",
                      "g (float[4] x) => (y) { a = Relu (x) b = Tanh (a) y = Neg (b) }"),
              ElementsAre("~ Tanh: op: Exp => Tanh"));
}

TEST(Diff, RenamedTensorsAreNotRewired) {
  EXPECT_THAT(changes("g (float[4] x) => (y) { a = Relu (x) y = Neg (a) }",
                      "g (float[4] x) => (y) { b = Relu (x) y = Neg (b) }"),
              ElementsAre("~ Relu: output 0: 'a' => 'b'"));
}

TEST(Diff, TensorsThatChangeNamesAreRewired) {
  EXPECT_THAT(changes("g (float[4] x) => (y) { [first] a = Relu (x) [second] b = Exp (x) "
                      "[third] y = Neg (a) [fourth] z = Sqrt (b) }",
                      "g (float[4] x) => (y) { [first] b = Relu (x) [second] a = Exp (x) "
                      "[third] y = Neg (a) [fourth] z = Sqrt (b) }"),
              ElementsAre("~ Relu: output 0: 'a' => 'b'", "~ Exp: output 0: 'b' => 'a'",
                          "~ Neg: input 0: 'a' of 'first' => 'a' of 'second'",
                          "~ Sqrt: input 0: 'b' of 'second' => 'b' of 'first'"));
}

TEST(Diff, StructureAloneFindsWhatChangedBetweenEqualParts) {
  EXPECT_THAT(changes("g (float[4] x) => (y) { a = Relu (x) b = Exp (a) c = Exp (b) d = Neg (c) "
                      "e = Relu (d) f = Tanh (e) y = Exp (f) }",
                      "h (float[4] i) => (o) { p = Relu (i) q = Exp (p) n = Sqrt (q) r = Exp (n) "
                      "s = Neg (r) t = Relu (s) u = Elu <alpha = 2.0> (t) v = Tanh (u) "
                      "o = Exp (v) }",
                      kStructure),
              ElementsAre("+ Sqrt ('q' -> 'n')", "~ Exp: input 0: 'b' => 'n'", "+ Elu ('t' -> 'u')",
                          "~ Tanh: input 0: 'e' => 'u'"));
}

TEST(Diff, BranchesOfOneStructureStayTogetherInAnyOrder) {
  EXPECT_THAT(changes("g (float[4] x) => (y, z) { a = Relu (x) b = Relu (x) c = Exp (a) "
                      "d = Exp (b) y = Neg (c) z = Neg (d) }",
                      "g (float[4] x) => (y, z) { b = Relu (x) a = Relu (x) d = Exp (a) "
                      "c = Exp (b) z = Neg (d) y = Neg (c) }",
                      kStructure),
              IsEmpty());
}

TEST(Diff, InputsAndOutputs) {
  EXPECT_THAT(
      changes("g (float[4] x, float[N] n) => (float[4] y) { y = Add (x, n) }",
              "g (float[8] x, int64[2] m) => (float[4] y, float[8] w) "
              "{ y = Add (x, m) w = Relu (x) }"),
      ElementsAre("~ input x: type: float32[4] => float32[8]", "~ input m: name: 'n' => 'm'",
                  "~ input m: type: float32['N'] => int64[2]", "+ output w (float32[8])",
                  "+ Relu ('x' -> 'w')"));
}

// As all are before IR version 4.
TEST(Diff, AWeightThatIsAnInputIsToldOfOnce) {
  constexpr std::string_view kBefore =
      "g (float[2] x, float[2] w) => (y) <float[2] w = {1, 2}> { y = Add (x, w) }";
  EXPECT_THAT(changes(kBefore, "g (float[2] x) => (y) { y = Add (x, x) }"),
              ElementsAre("~ Add: input 1: 'w' => 'x'", "- weight w (float32[2])"));
  EXPECT_THAT(changes(kBefore, "g (float[2] x) => (y) <float[2] w = {1, 2}> { y = Add (x, w) }"),
              ElementsAre("- input w (float32[2])"));
}

TEST(Diff, TheOrderOfInputsCounts) {
  EXPECT_THAT(changes("g (float[4] x, float[4] n) => (y) { y = Add (x, n) }",
                      "g (float[4] n, float[4] x) => (y) { y = Add (x, n) }"),
              ElementsAre("graph order of inputs: ['x', 'n'] => ['n', 'x']"));
}

TEST(Diff, Weights) {
  constexpr std::string_view kBefore =
      "g (float[2] x) => (y) <float[2] w = {1, 2}, float[1] u = {0}, int64[1] s = {3}> "
      "{ a = Add (x, w) b = Mul (a, u) y = Reshape (b, s) }";
  EXPECT_THAT(changes(kBefore,
                      "g (float[2] x) => (y) <float[2] w = {1, 2.5}, float[3] u = {0, 0, 0}, "
                      "int64[1] t = {3}, float[1] more = {1}> "
                      "{ a = Add (x, w) b = Mul (a, u) y = Reshape (b, t) }"),
              ElementsAre("~ weight w: 1 of 2 elements differ, by 0.5 at most (2097152 ulp), first "
                          "at [1]: 2.0 -> 2.5",
                          "~ weight u: type: float32[1] => float32[3]",
                          "~ weight t: name: 's' => 't'", "+ weight more (float32[1])"));
  EXPECT_THAT(changes(kBefore, kBefore, kStructure), IsEmpty());
}

TEST(Diff, WeightsByTolerance) {
  constexpr std::string_view kA = "g (float[2] x) => (y) <float[2] w = {1, 2}> { y = Add (x, w) }";
  constexpr std::string_view kB =
      "g (float[2] x) => (y) <float[2] w = {1, 2.5}> { y = Add (x, w) }";
  EXPECT_THAT(changes(kA, kB, {.tolerances = {.absolute = 0.5, .relative = {}}}), IsEmpty());
  EXPECT_THAT(changes(kA, kB, {.tolerances = {.absolute = {}, .relative = 0.2}}), IsEmpty());
  EXPECT_EQ(changes(kA, kB, {.tolerances = {.absolute = 0.4, .relative = {}}}).size(), 1);
  EXPECT_THAT(changes(kA, kB, {.weights = false}), IsEmpty());
}

TEST(Diff, WeightsThatAreNotReadAreTheSameOrOthers) {
  const Model model =
      parse_onnx_text("g (float[2] x) => (y) <float[2] w = {1, 2}> { y = Add (x, w) }");
  Model other = copy(model);
  EXPECT_THAT(changes(model, other, {.read_weights = false}), IsEmpty());
  other.graph->initializers()[0]->edit_values<float>()[0] = 7;
  EXPECT_THAT(changes(model, other, {.read_weights = false}),
              ElementsAre("~ weight w: other values"));
}

TEST(Diff, TensorsInAttributes) {
  EXPECT_THAT(
      changes("g () => (y) { y = Constant <value = float[2] {1, 2}> () }",
              "g () => (y) { y = Constant <value = float[2] {1, 3}> () }"),
      ElementsAre("~ Constant: attribute 'value': float32[2] [1. 2.] => float32[2] [1. 3.]"));
}

TEST(Diff, NestedGraphsByPath) {
  constexpr std::string_view kBefore = R"(g (bool c, float[4] x) => (y) {
    [pick] y = If (c) <
      then_branch = t () => (float[4] p) { p = Relu (x) },
      else_branch = e () => (float[4] q) { q = Neg (x) }>
  })";
  std::string after(kBefore);
  after.replace(after.find("Neg"), 3, "Exp");
  EXPECT_THAT(changes(kBefore, after), ElementsAre("~ pick.else_branch: Exp: op: Neg => Exp"));
  EXPECT_THAT(changes(kBefore, kBefore, kStructure), IsEmpty());
}

TEST(Diff, TheHeader) {
  Model a = parse_onnx_text(kChain), b = parse_onnx_text(kChain);
  b.ir_version = 8;
  b.set_opset(18);
  b.opset_imports.push_back({"com.x", 1, {}});
  b.producer_name = "tool";
  b.metadata = {{"author", "me"}};
  b.doc_string = "text";
  b.graph->set_name("other");
  EXPECT_THAT(changes(a, b),
              ElementsAre("model IR version: 10 => 8", "model opset import 'ai.onnx': 17 => 18",
                          "model opset import 'com.x': - => 1", "model producer name: - => 'tool'",
                          "model metadata 'author': - => 'me'", "model doc string: - => 'text'",
                          "graph name: 'g' => 'other'"));
  EXPECT_THAT(changes(a, b, {.names = false, .metadata = false, .docs = false, .versions = false}),
              IsEmpty());
}

TEST(Diff, AnOutputThatIsAnInputHasAShapeOfItsOwn) {
  EXPECT_THAT(changes("g (float[2] x) => (float[2] x) {}", "g (float[2] x) => (float[N] x) {}"),
              ElementsAre("~ output x: type: float32[2] => float32['N']"));
  EXPECT_THAT(changes("g (float[2] x) => (float[N] x) {}", "g (float[2] x) => (float[N] x) {}"),
              IsEmpty());
}

TEST(Diff, Functions) {
  constexpr std::string_view kBefore = R"(<ir_version: 10, opset_import: ["" : 17, "l" : 1]>
g (float[4] x) => (y) { y = l.f (x) }
<domain: "l", opset_import: ["" : 17]> f (i) => (o) { o = Relu (i) }
<domain: "l", opset_import: ["" : 17]> old (i) => (o) { o = Relu (i) })";
  constexpr std::string_view kAfter = R"(<ir_version: 10, opset_import: ["" : 17, "l" : 1]>
g (float[4] x) => (y) { y = l.f (x) }
<domain: "l", opset_import: ["" : 18]> f (i) => (o) { t = Relu (i) o = Exp (t) })";
  EXPECT_THAT(
      changes(kBefore, kAfter),
      ElementsAre("- function l.old ()", "function 'l.f': graph opset import 'ai.onnx': 17 => 18",
                  "~ function 'l.f': output o: computed by: a node Relu => a node Exp",
                  "~ function 'l.f': Relu: output 0: 'o' => 't'",
                  "+ function 'l.f': Exp ('t' -> 'o')"));
}

TEST(Diff, AnExtractedPartLacksTheRest) {
  Model model = parse_onnx_text(kChain);
  const Model before = copy(model);
  extract(model, find_all(model, {"a"}), find_all(model, {"y"}));
  EXPECT_THAT(
      changes(before, model),
      ElementsAre("+ input a (no type of unknown rank)", "- input x (float32['N'])",
                  "- output z (float32['N'])", "- Relu ('x' -> 'a')", "- Tanh ('a' -> 'z')"));
}

TEST(Diff, NamesPartners) {
  const Model a = parse_onnx_text(R"(g (float[2] x) => (float[2] y)
{
  [one] t = Abs(x)
  [two] y = Neg(t)
})");
  const Model b = parse_onnx_text(R"(g (float[2] x) => (float[2] y)
{
  [uno] t = Abs(x)
  [new] u = Exp(t)
  [two] y = Neg(u)
})");
  using Pair = std::pair<std::string, std::string>;
  EXPECT_THAT(diff(a, b, {.partners = true}).partners,
              ElementsAre(Pair("one", "uno"), Pair("two", "two")));
  EXPECT_THAT(diff(a, b, {.partners = true}).tensors,
              ElementsAre(Pair("x", "x"), Pair("t", "t"), Pair("y", "y")));
  EXPECT_THAT(diff(a, b).partners, IsEmpty());
}

TEST(Diff, FusedNodesHaveTheNodeThatComputesThem) {
  const Model a = parse_onnx_text(R"(g (float[2] x, float[2] c) => (float[2] y)
{
  [conv] t = Mul(x, c)
  [norm] u = Add(t, c)
  [act] v = Relu(u)
  [folded] k = Exp(c)
  [last] w = Sub(v, k)
  [copy] y = Identity(w)
})");
  const Model b = parse_onnx_text(R"(g (float[2] x, float[2] c) => (float[2] y)
{
  [conv_act] v = com.fused(x, c)
  [last] y = Sub(v, c)
})");
  using Pair = std::pair<std::string, std::string>;
  EXPECT_THAT(diff(a, b, {.partners = true}).partners,
              UnorderedElementsAre(Pair("conv", "conv_act"), Pair("norm", "conv_act"),
                                   Pair("act", "conv_act"), Pair("last", "last"),
                                   Pair("folded", "last"), Pair("copy", "last")));
}

}  // namespace
}  // namespace graphsurgeon
