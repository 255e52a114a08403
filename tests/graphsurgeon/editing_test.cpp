// Building and editing models, as users do it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/graphsurgeon.h"

namespace graphsurgeon {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename Tensors>
std::vector<std::string> names(const Tensors& tensors) {
  std::vector<std::string> names;
  for (const auto& tensor : tensors) names.emplace_back(tensor->name());
  return names;
}

std::vector<std::string> ops(const Graph& graph) {
  std::vector<std::string> ops;
  for (const NodeRef& node : graph.nodes()) ops.emplace_back(node->op());
  return ops;
}

template <typename F>
std::string error_of(F f) {
  try {
    f();
  } catch (const polygraphy::Error& error) {
    return std::string(error.what()) + (error.hint().empty() ? "" : " | " + error.hint());
  }
  return "no error";
}

Model reloaded(const Model& m) {
  const std::string bytes = encode_model(m);
  return load_model_from_bytes(std::as_bytes(std::span(bytes)), nullptr, "saved");
}

// --- registered operators

TEST(Register, TheSeedScript) {
  register_op("leaky_relu", [](Graph& graph, TensorRef x, double alpha) {
    return graph.layer({.op = "LeakyRelu",
                        .inputs = {x},
                        .outputs = {"leaky_out"},
                        .attrs = {{"alpha", alpha}}})[0];
  });
  Model model = make_model({.opset = 17});
  const TensorRef x = model.graph->variable("x", DataType::kFloat32, {1, 3, "H", "W"});
  model.graph->mutable_inputs() = {x};
  model.graph->mutable_outputs() = model.call("leaky_relu", x, 0.01);
  model.graph->outputs()[0]->set_dtype(DataType::kFloat32);
  model.graph->outputs()[0]->set_shape(x->shape());
  check_model(model);
  EXPECT_EQ(to_onnx_text(model), to_onnx_text(parse_onnx_text(
                                     R"(<ir_version: 10, opset_import: ["" : 17]>
                onnx_graphsurgeon_graph (float[1,3,H,W] x) => (float[1,3,H,W] leaky_out_0) {
                  [onnx_graphsurgeon_node_1] leaky_out_0 = LeakyRelu <alpha: float = 0.01> (x)
                })")));
}

TEST(Register, OpsetsComeFirstThenAllThenFunctions) {
  OpRegistry registry;
  const auto add = [&](const char* op, RegisterOptions options) {
    registry.add(
        "op",
        [op](Graph& g, std::span<const Arg> args) -> std::vector<TensorRef> {
          return g.layer({.op = op, .inputs = {args.begin(), args.end()}, .outputs = {"o"}})
              .snapshot();
        },
        options);
  };
  Model m = make_model({.opset = 13});
  const auto called = [&](polygraphy::Logger* logger = nullptr) {
    const Arg one(1);
    call_op(registry, m, *m.graph, "op", {&one, 1}, logger);
    return std::string(m.graph->nodes().back()->op());
  };
  EXPECT_EQ(error_of(called),
            "'op' is neither registered for opset 13 nor a function of the model");
  add("ForOthers", {.opsets = {11, 17}});
  EXPECT_EQ(error_of(called),
            "'op' is neither registered for opset 13 nor a function of the model | Registered "
            "opsets: 11, 17.");
  const FunctionRef f = make_function(m, {.name = "op", .domain = "own"});
  f->mutable_inputs() = {f->variable("a")};
  f->mutable_outputs() = {f->variable("b")};
  EXPECT_EQ(called(), "op");
  EXPECT_EQ(m.graph->nodes().back()->domain(), "own");
  add("ForAll", {});
  EXPECT_EQ(called(), "ForAll");
  add("For13", {.opsets = {13}});
  std::vector<std::string> warnings;
  polygraphy::Logger logger(
      [&](polygraphy::Severity, std::string_view text) { warnings.emplace_back(text); });
  EXPECT_EQ(called(&logger), "For13");
  EXPECT_EQ(called(&logger), "For13");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("overloaded with the following candidates"));
}

TEST(Register, ArgumentsAreConvertedOrRefused) {
  register_op("many",
              [](Graph& g, const Arg& any, std::vector<int64_t> axes,
                 std::optional<std::string> mode) -> TensorList& {
                return g.layer({.op = mode.value_or("Default"),
                                .inputs = {any},
                                .outputs = {"a", "b"},
                                .attrs = {{"axes", axes}}});
              });
  Model m = make_model();
  EXPECT_EQ(m.call("many", 1.5, std::vector<int64_t>{0, 1}).size(), 2u);
  EXPECT_EQ(m.call("many", "new", std::vector<int>{0}, "Other")[0]->producer()->op(), "Other");
  EXPECT_EQ(error_of([&] { m.call("many", 1); }),
            "'many' takes 2 to 3 arguments, but was called with 1");
  EXPECT_EQ(error_of([&] { m.call("many", 1, "axes"); }),
            "argument 1 of 'many' is a text, not a list of integers");
}

// --- tensors, navigation, edits in place

TEST(Tensors, AreInTheOrderOfTheGraph) {
  Model m = parse_onnx_text(R"(g (float[2] x, float[2] unused) => (float[2] y)
      <float[2] w = {1, 2}, float[2] never = {1, 2}> {
    a = Clip(x, , w)  y = Add(a, x) })");
  const TensorMap tensors = m.graph->tensors();
  std::vector<std::string> found;
  for (const auto& [name, tensor] : tensors) found.emplace_back(name);
  EXPECT_THAT(found, ElementsAre("x", "unused", "w", "a", "y"));
  EXPECT_EQ(tensors["a"], m.graph->nodes()[0]->outputs()[0]);
  EXPECT_EQ(error_of([&] { tensors.at("unusde"); }),
            "there is no tensor named 'unusde' in the graph | Did you mean 'unused'?");
  const TensorRef other = m.graph->variable("a");
  m.graph->nodes()[1]->inputs().set(1, other);
  EXPECT_EQ(m.graph->tensors()["a"], other.get());
  EXPECT_EQ(
      error_of([&] { m.graph->tensors(true); }),
      "graph 'g' has distinct tensors named 'a', produced by '' (Clip) and by nothing | Rename one "
      "of them.");
}

TEST(Navigation, MindTheOrderOfTheArguments) {
  Model m = parse_onnx_text(R"(g (float[4] x, int64[1] k) => (float[4] y, float[4] z) {
    v, i = TopK(x, k)  y = Neg(v)  c = Cast<to = 1>(i)  z = Abs(v) })");
  const auto& nodes = m.graph->nodes();
  EXPECT_EQ(nodes[0]->o(), nodes[1].get());
  EXPECT_EQ(nodes[0]->o(1), nodes[3].get());
  EXPECT_EQ(nodes[0]->o(0, 1), nodes[2].get());
  EXPECT_EQ(nodes[1]->i(), nodes[0].get());
  const Tensor* v = nodes[0]->outputs()[0];
  EXPECT_EQ(v->i(1)->name(), "k");
  EXPECT_EQ(v->o(1)->name(), "z");
  EXPECT_EQ(error_of([&] { nodes[0]->i(); }), "'x' has 0 producers, but no producer 0");
  EXPECT_EQ(error_of([&] { v->i(2); }), "node '' (TopK) has 2 inputs, but no input 2");
}

TEST(Edits, InPlaceInALineEach) {
  Model m = parse_onnx_text(R"(g (float[2,3] x) => (float[2,3] y) <int64[2] s = {2, 3}> {
    y = Reshape(x, s) })");
  Tensor& shape = *m.graph->initializers()[0];
  const PayloadPtr before = shape.payload();
  m.graph->inputs()[0]->set_dim(0, "N");
  m.graph->outputs()[0]->set_dim(-2, "N");
  shape.edit_values<int64_t>()[0] = -1;
  EXPECT_EQ(to_text(*m.graph->inputs()[0]), "Variable (x): (shape=['N', 3], dtype=float32)");
  EXPECT_EQ(shape.values().get_int64(0), -1);
  EXPECT_EQ(before->load("s").get_int64(0), 2);
  EXPECT_EQ(reloaded(m).graph->initializers()[0]->values().get_int64(0), -1);
  EXPECT_EQ(error_of([&] { shape.edit_values<float>(); }),
            "'s' is of type int64, with elements of 8 bytes, not 4");
  EXPECT_EQ(error_of([&] { m.graph->inputs()[0]->set_dim(2, 1); }),
            "'x' has 2 dimensions, but no dimension 2");
}

TEST(Edits, MovingOutputsRemovesANode) {
  Model m = parse_onnx_text("g (float[2] x) => (float[2] y) { a = Neg(x) y = Identity(a) }");
  Node& fake = *m.graph->nodes()[1];
  fake.i()->outputs().assign(fake.outputs());
  fake.outputs().clear();
  cleanup(m);
  EXPECT_THAT(ops(*m.graph), ElementsAre("Neg"));
  check_model(m);
}

TEST(Edits, EdgesFromTheTensorsSide) {
  Model m = parse_onnx_text("g (float[2] x) => (float[2] y) { a = Neg(x) y = Add(a, a) }");
  Tensor& a = *m.graph->nodes()[0]->outputs()[0];
  Node& add = *m.graph->nodes()[1];
  EXPECT_EQ(a.consumers().size(), 2u);
  EXPECT_TRUE(a.consumers().remove(add));
  EXPECT_THAT(names(add.inputs()), ElementsAre("a"));
  a.add_consumer(add);
  a.replace_in_consumers(m.graph->inputs()[0]);
  EXPECT_THAT(names(add.inputs()), ElementsAre("x", "x"));
  EXPECT_TRUE(a.consumers().empty());
  EXPECT_FALSE(a.consumers().remove(add));
  EXPECT_THAT(names(add.inputs().erase(0, 2)), ElementsAre("x", "x"));
  EXPECT_TRUE(add.inputs().empty());
}

TEST(Text, AsTheOriginalPrints) {
  Model m = make_model();
  Graph& g = *m.graph;
  const TensorRef x = g.variable("x", DataType::kFloat32, {1, "N", Dim()});
  g.layer({.op = "Add",
           .inputs = {x, {1, 2}},
           .outputs = {"sum", "b"},
           .attrs = {{"alpha", 0.5}, {"perm", {0, 2}}, {"s", "hi"}},
           .domain = "dd"});
  EXPECT_EQ(to_text(*g.nodes()[0]),
            "onnx_graphsurgeon_node_3 (Add)\n"
            "\tInputs: [\n"
            "\t\tVariable (x): (shape=[1, 'N', None], dtype=float32)\n"
            "\t\tConstant (onnx_graphsurgeon_lst_constant_0): (shape=[2], dtype=int64)\n"
            "\t]\n"
            "\tOutputs: [\n"
            "\t\tVariable (sum_1): (shape=None, dtype=None)\n"
            "\t\tVariable (b_2): (shape=None, dtype=None)\n"
            "\t]\n"
            "Attributes: {'alpha': 0.5, 'perm': [0, 2], 's': 'hi'}\n"
            "Domain: dd");
}

// --- saved files

constexpr const char* kTwoBranches = R"(g (float[2] x, bool c) => (float[2] y) {
    y = If(c) <then_branch = t () => (float[2] p) { p = Neg(x) },
               else_branch = e () => (float[2] q) { q = Abs(x) }>
  })";

TEST(Save, AConstantIsWrittenOnceWhereItBelongs) {
  Model m = parse_onnx_text(kTwoBranches);
  const auto branches = m.graph->subgraphs();
  const TensorRef one = m.graph->constant("one", Array::of<float>({2}, {1, 1}));
  const TensorRef both = m.graph->constant("both", Array::of<float>({2}, {2, 2}));
  branches[0]->nodes()[0]->set_op("Sum");
  branches[0]->nodes()[0]->inputs().append({one, both});
  branches[1]->nodes()[0]->set_op("Sum");
  branches[1]->nodes()[0]->inputs().append(both);
  const Model again = reloaded(m);
  check_model(again);
  EXPECT_THAT(names(again.graph->initializers()), ElementsAre("both"));
  EXPECT_THAT(names(again.graph->subgraphs()[0]->initializers()), ElementsAre("one"));
  EXPECT_TRUE(again.graph->subgraphs()[1]->initializers().empty());
  // One that an outer graph lists stays there.
  m.graph->mutable_initializers().push_back(one);
  EXPECT_THAT(names(reloaded(m).graph->initializers()), ElementsAre("one", "both"));
}

TEST(Save, ConstantsOfFunctionsBecomeNodes) {
  Model m = make_model({.opset = 18});
  const FunctionRef f = make_function(m, {.name = "plus", .domain = "own"});
  const TensorRef a = f->variable("a");
  f->mutable_inputs() = {a};
  f->mutable_outputs() = {
      f->layer({.op = "Add", .inputs = {a, Array::of<float>({2}, {1, 2})}, .outputs = {"b"}})[0]};
  Graph& g = *m.graph;
  g.mutable_inputs() = {g.variable("x", DataType::kFloat32, {2})};
  g.mutable_outputs() = m.call("plus", g.inputs()[0]);
  g.outputs()[0]->set_dtype(DataType::kFloat32);
  g.outputs()[0]->set_shape(DimList{2});
  const Model again = reloaded(m);
  check_model(again);
  EXPECT_THAT(ops(*again.functions[0]), ElementsAre("Constant", "Add"));
  EXPECT_THAT(ops(*f), ElementsAre("Add"));
  // The domain of the function was imported.
  ASSERT_EQ(again.opset_imports.size(), 2u);
  EXPECT_EQ(again.opset_imports[1].domain, "own");
  EXPECT_EQ(m.opset_imports.size(), 1u);
}

TEST(Save, AConstantThatIsProducedIsRefused) {
  Model m = parse_onnx_text("g (float[2] x) => (float[2] y) { [n] a = Neg(x) y = Abs(a) }");
  m.graph->nodes()[0]->outputs()[0]->to_constant(Array::of<float>({2}, {1, 2}));
  EXPECT_THAT(error_of([&] { encode_model(m); }),
              HasSubstr("tensor 'a' is a constant, but node 'n' (Neg) produces it"));
  cleanup(m);
  check_model(reloaded(m));
}

TEST(Save, TypesAreCheckedOnRequest) {
  Model m = make_model();
  m.graph->mutable_outputs() = {m.graph->layer({.op = "Op", .outputs = {"y"}})[0]};
  EXPECT_EQ(error_of([&] { save_model(m, "/dev/null", {.check_types = true}); }),
            "output 'y_0' of the graph has no type | Set it with set_dtype(), or infer it with "
            "infer_shapes().");
  EXPECT_EQ(error_of([&] { save_model(m, "/dev/null"); }), "no error");
}

TEST(Save, EveryElementType) {
  Model m = make_model({.opset = 21, .ir_version = 11});
  Graph& g = *m.graph;
  for (const DataType type : polygraphy::all_data_types()) {
    if (type == DataType::kString || kind_of(type) == polygraphy::Kind::kComplex) continue;
    if (static_cast<int>(type) > static_cast<int>(DataType::kFloat4E2M1)) continue;
    const Array values = polygraphy::convert(Array::of<float>({3}, {1, 0, 1}), type);
    g.layer({.op = "Identity", .inputs = {values}, .outputs = {"y"}});
  }
  const Model again = reloaded(m);
  ASSERT_EQ(again.graph->initializers().size(), g.initializers().size());
  for (size_t i = 0; i < g.initializers().size(); ++i) {
    EXPECT_TRUE(polygraphy::bitwise_equal(again.graph->initializers()[i]->values(),
                                          g.initializers()[i]->values()))
        << polygraphy::name_of(g.initializers()[i]->dtype());
  }
}

// --- copies

TEST(Copy, ASubgraphAloneTakesItsOuterTensorsWithIt) {
  Model m = parse_onnx_text(kTwoBranches);
  const GraphRef branch = m.graph->subgraphs()[0];
  const GraphRef alone = copy(*branch);
  const Tensor* x = alone->nodes()[0]->inputs()[0];
  EXPECT_EQ(x->name(), "x");
  EXPECT_NE(x, m.graph->inputs()[0].get());
  const TensorRef given = m.graph->variable("x");
  const GraphRef connected = copy(*branch, {{"x", given}, {"p", given}});
  EXPECT_EQ(connected->nodes()[0]->inputs()[0], given.get());
  // Its own tensors are its own, whatever their names.
  EXPECT_EQ(connected->outputs()[0]->producer(), connected->nodes()[0].get());
}

TEST(Copy, TensorsAndNodesComeWithoutEdges) {
  Model m = parse_onnx_text("g (float[2] x) => (float[2] y) { [n] y = Neg(x) }");
  const TensorRef x = copy(*m.graph->inputs()[0]);
  EXPECT_EQ(to_text(*x), "Variable (x): (shape=[2], dtype=float32)");
  EXPECT_TRUE(x->consumers().empty());
  x->set_dim(0, 3);
  EXPECT_EQ(m.graph->inputs()[0]->shape(), DimList{2});
  const NodeRef node = copy(*m.graph->nodes()[0], {x}, {m.graph->variable("z")});
  EXPECT_EQ(node->name(), "n");
  EXPECT_EQ(x->consumers().size(), 1u);
}

TEST(Equality, IsByMeaning) {
  const char* text = R"(g (float[2] x) => (float[2] y) {
    a = Constant <value = float[2] {1, 2}> ()
    y = LeakyRelu <alpha = 0.5> (a) })";
  Model a = parse_onnx_text(text), b = parse_onnx_text(text);
  EXPECT_TRUE(structurally_equal(a, b));
  b.graph->set_name("another");
  b.graph->nodes()[1]->set_domain("ai.onnx");
  EXPECT_TRUE(structurally_equal(a, b));
  b.graph->nodes()[0]->set_attribute("value", Array::of<float>({2}, {1, 2}));
  EXPECT_TRUE(structurally_equal(a, b));
  b.graph->nodes()[0]->set_attribute("value", Array::of<float>({2}, {1, 3}));
  EXPECT_FALSE(structurally_equal(a, b));
  b = parse_onnx_text(text);
  b.graph->outputs()[0]->set_name("z");
  EXPECT_FALSE(structurally_equal(a, b));
}

}  // namespace
}  // namespace graphsurgeon
