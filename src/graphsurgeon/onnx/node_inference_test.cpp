#include "graphsurgeon/onnx/node_inference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

using polygraphy::Logger;
using testing::HasSubstr;
using testing::IsEmpty;

// One sweep over a model, node by node.
class Sweep {
 public:
  explicit Sweep(std::string_view text) : model(parse_onnx_text(text)), inference(model, silent_) {}

  Tensor& tensor(std::string_view name) { return *model.graph->tensor_map().at(name); }
  std::string infer(size_t node) { return inference.infer(*model.graph->nodes().at(node)); }
  std::string infer_all() {
    std::string problems;
    for (const NodeRef& node : model.graph->nodes()) problems += inference.infer(*node);
    return problems;
  }

  // "float32[N,?]", "int64[]", "float32" (rank not known)
  std::string type(std::string_view name) {
    const Tensor& t = tensor(name);
    std::string text(polygraphy::name_of(t.dtype()));
    const auto shape = t.shape();
    return shape ? text + text_of(*shape) : text;
  }
  // "[N,3,?]"; "nothing"
  std::string elements(std::string_view name) {
    const DimList* known = inference.elements(tensor(name));
    return known != nullptr ? text_of(*known) : "nothing";
  }

  static std::string text_of(const DimList& dims) {
    std::string text;
    for (const Dim& dim : dims) {
      if (!text.empty()) text += ',';
      text += !dim.param().empty() ? dim.param()
              : dim.has_value()    ? std::to_string(dim.value())
                                   : "?";
    }
    return '[' + text + ']';
  }

 private:
  Logger silent_;

 public:
  Model model;
  NodeInference inference;
};

TEST(NodeInference, WritesTheOutputsOfOneNode) {
  Sweep sweep(R"(
    g (float[N, 8] x) => (y) <float[8, 5] w = {}> {
      a = MatMul (x, w)
      y = Transpose (a)
    })");
  EXPECT_EQ(sweep.infer(0), "");
  EXPECT_EQ(sweep.type("a"), "float32[N,5]");
  EXPECT_EQ(sweep.type("y"), "");
  EXPECT_EQ(sweep.infer(1), "");
  EXPECT_EQ(sweep.type("y"), "float32[5,N]");
}

TEST(NodeInference, SeesTensorsThatBecameConstants) {
  Sweep sweep(R"(
    g (int64[2] wanted_if, float[6] x, int64[2] other) => (y) {
      wanted = Add (wanted_if, other)
      y = Reshape (x, wanted)
    })");
  sweep.infer(0);
  EXPECT_EQ(sweep.elements("wanted"), "nothing");
  sweep.tensor("wanted").to_constant(owned_payload(Array::of<int64_t>({2}, {2, 3})));
  EXPECT_EQ(sweep.elements("wanted"), "[2,3]");
  sweep.infer(1);
  EXPECT_EQ(sweep.type("y"), "float32[2,3]");
}

TEST(NodeInference, KnowsElementsInPart) {
  Sweep sweep(R"(
    g (float[N, 3, 4] x, float[K] z) => (y) <int64[2] end = {1, -1}, int64[2] begin = {0, 1}> {
      shape = Shape (x)
      some = Gather (shape, begin)
      other = Shape (z)
      both = Concat <axis = 0> (some, end, other)
      narrow = Cast <to = 6> (both)
      y = Neg (narrow)
    })");
  EXPECT_EQ(sweep.infer_all(), "");
  EXPECT_EQ(sweep.elements("shape"), "[N,3,4]");
  EXPECT_EQ(sweep.elements("some"), "[N,3]");
  EXPECT_EQ(sweep.elements("both"), "[N,3,1,-1,K]");
  EXPECT_EQ(sweep.elements("narrow"), "[N,3,1,-1,K]");
  EXPECT_EQ(sweep.elements("end"), "[1,-1]");
  EXPECT_EQ(sweep.elements("x"), "nothing");
}

TEST(NodeInference, ElementsAreThoseOfTheType) {
  // The library computes with 64 bits, whatever the type.
  Sweep sweep(R"(
    g (float[300, 70000] x) => (y) {
      shape = Shape (x)
      byte = Cast <to = 2> (shape)
      short = Cast <to = 4> (shape)
      truth = Cast <to = 9> (shape)
      real = Cast <to = 1> (shape)
      y = Neg (real)
    })");
  sweep.infer_all();
  EXPECT_EQ(sweep.elements("shape"), "[300,70000]");
  EXPECT_EQ(sweep.elements("byte"), "nothing");
  EXPECT_EQ(sweep.elements("short"), "[300,?]");
  EXPECT_EQ(sweep.elements("truth"), "[1,1]");
  EXPECT_EQ(sweep.elements("real"), "nothing");
}

TEST(NodeInference, ReadsConstantNodes) {
  Sweep sweep(R"(
    g (float[6, 4] x) => (y, z) {
      ints = Constant <value_ints = [3, 8]> ()
      one = Constant <value_int = 7> ()
      tensor = Constant <value = int32[2] {4, 5}> ()
      y = Reshape (x, ints)
      z = Identity (tensor)
    })");
  EXPECT_EQ(sweep.infer_all(), "");
  EXPECT_EQ(sweep.elements("ints"), "[3,8]");
  EXPECT_EQ(sweep.elements("one"), "[7]");
  EXPECT_EQ(sweep.elements("tensor"), "[4,5]");
  EXPECT_EQ(sweep.type("y"), "float32[3,8]");
}

TEST(NodeInference, TakesElementsFromRules) {
  Sweep sweep(R"(
    g (float[N, 4, 6] x, int64[2] a, int64[2] b) => (y) {
      wanted = Max (a, b)
      y = Reshape (x, wanted)
    })");
  sweep.infer(0);
  EXPECT_EQ(sweep.elements("wanted"), "nothing");
  sweep.inference.set_elements(sweep.tensor("wanted"), {Dim("N"), Dim(24)});
  EXPECT_EQ(sweep.elements("wanted"), "[N,24]");
  sweep.infer(1);
  EXPECT_EQ(sweep.type("y"), "float32[N,24]");
}

TEST(NodeInference, UsesElementsWhereOperatorsAskForValues) {
  // Tile, Slice and the like look at constants only.
  Sweep sweep(R"(
    g (float[2, 3] x, float[5, 7] z) => (y) {
      repeats = Shape (z)
      y = Tile (x, repeats)
    })");
  sweep.infer_all();
  EXPECT_EQ(sweep.type("y"), "float32[10,21]");
}

TEST(NodeInference, WritesNothingForANodeThatFails) {
  Sweep sweep(R"(
    g (float[2, 3] x, int64[2] i) => (int64[9] a, float[4] b, c) {
      a, b = Magic (x)
      c = MatMul (x, x)
    })");
  sweep.model.graph->nodes()[0]->set_op("TopK");
  sweep.model.graph->nodes()[0]->inputs().append(Tensor::constant(
      sweep.model.graph->store(), "k", owned_payload(Array::of<int64_t>({1}, {2}))));
  EXPECT_THAT(sweep.infer(0), HasSubstr("(TopK)"));
  EXPECT_EQ(sweep.type("a"), "int64[9]");
  EXPECT_EQ(sweep.type("b"), "float32[4]");
  EXPECT_THAT(sweep.infer(1), HasSubstr("model: node with output 'c' (MatMul): "));
  EXPECT_EQ(sweep.type("c"), "");
}

TEST(NodeInference, NamesFileAndFunctionInProblems) {
  Sweep sweep(R"(
    <ir_version: 10, opset_import: ["" : 20, "local" : 1]>
    g (float[2, 3] x) => (y) { y = local.Square (x) }
    <domain: "local", opset_import: ["" : 20]>
    Square (v) => (w) { [inner] w = MatMul (v, v) })");
  sweep.model.path = "folder/m.onnx";
  EXPECT_THAT(sweep.infer(0),
              HasSubstr("folder/m.onnx: node 'inner' (MatMul) in function 'Square': "));
}

TEST(NodeInference, LooksAtFunctionsApartFromTheirCalls) {
  Sweep sweep(R"(
    <ir_version: 10, opset_import: ["" : 8, "local" : 1]>
    g (float[2, 3] x) => (y) { y = local.F <k = 5> (x) }
    <domain: "local", opset_import: ["" : 20]>
    F <k> (v) => (w) {
      two = Constant <value_ints = [2, 3]> ()
      sum = Add (two, two)
      given = Constant <value_int: int = @k> ()
      w = Reshape (v, sum)
    })");
  const Function& function = *sweep.model.functions[0];
  const uint64_t edits = sweep.model.graph->store().edits();
  for (const NodeRef& node : function.nodes()) {
    EXPECT_EQ(sweep.inference.infer(*node, function), "");
  }
  const auto tensors = function.tensor_map();
  const auto elements = [&](std::string_view name) {
    const DimList* known = sweep.inference.elements(*tensors.at(name));
    return known != nullptr ? Sweep::text_of(*known) : "nothing";
  };
  EXPECT_EQ(elements("sum"), "[4,6]");
  EXPECT_EQ(elements("given"), "nothing");
  // Rules' knowledge counts there as well.
  sweep.inference.set_elements(*tensors.at("two"), {});
  sweep.inference.set_elements(*tensors.at("given"), {Dim(7)});
  EXPECT_EQ(elements("two"), "[2,3]");
  EXPECT_EQ(elements("given"), "[7]");
  EXPECT_EQ(sweep.model.graph->store().edits(), edits);
  // In a call the attribute has a value.
  EXPECT_EQ(sweep.infer(0), "");
}

TEST(NodeInference, HandsValuesIntoFunctionsAndBack) {
  Sweep sweep(R"(
    <ir_version: 10, opset_import: ["" : 20, "local" : 1]>
    g (float[N, 3, 4] x) => (y) {
      shape = Shape (x)
      wanted = local.FirstAnd <rest = [-1]> (shape)
      y = Reshape (x, wanted)
    }
    <domain: "local", opset_import: ["" : 20]>
    FirstAnd <rest> (s) => (w) {
      zero = Constant <value_ints = [0]> ()
      first = Gather (s, zero)
      others = Constant <value_ints: ints = @rest> ()
      w = Concat <axis = 0> (first, others)
    })");
  EXPECT_EQ(sweep.infer_all(), "");
  EXPECT_EQ(sweep.elements("wanted"), "[N,-1]");
  EXPECT_EQ(sweep.type("y"), "float32[N,12]");
}

TEST(NodeInference, FunctionsThatDoubleTheWorkAreLimited) {
  // 2^40 calls in all.
  std::string text = R"(<ir_version: 10, opset_import: ["" : 20, "local" : 1]>
    g (float[2] x) => (y) { y = local.F39 (x) }
    )";
  for (int i = 0; i < 40; ++i) {
    const std::string inner = i == 0 ? "Neg" : "local.F" + std::to_string(i - 1);
    text += "<domain: \"local\", opset_import: [\"\" : 20, \"local\" : 1]>\nF" + std::to_string(i) +
            " (a) => (c) { b = " + inner + " (a) c = " + inner + " (b) }\n";
  }
  Sweep sweep(text);
  EXPECT_THAT(sweep.infer(0), HasSubstr("call each other more than"));
}

TEST(NodeInference, AFunctionThatCallsItselfIsRefused) {
  Sweep sweep(R"(
    <ir_version: 10, opset_import: ["" : 20, "local" : 1]>
    g (float[2] x) => (y) { y = local.F (x) }
    <domain: "local", opset_import: ["" : 20, "local" : 1]>
    F (a) => (b) { b = local.F (a) })");
  EXPECT_THAT(sweep.infer(0), HasSubstr("function 'F' calls itself"));
}

TEST(NodeInference, ASharedSubgraphIsNoProblem) {
  Sweep sweep("g (bool c, float[2] x) => (y) { y = Relu (x) }");
  Store& store = sweep.model.graph->store();
  GraphRef inner = Graph::create(store, "inner");
  inner->mutable_outputs().push_back(sweep.model.graph->inputs()[1]);
  NodeRef outermost;
  for (int depth = 0; depth < 60; ++depth) {  // 2^60 ways through
    const NodeRef branch = Node::create(store, "If");
    branch->inputs().append(sweep.model.graph->inputs()[0]);
    const TensorRef result = Tensor::variable(store, "r" + std::to_string(depth));
    branch->outputs().append(result);
    for (const char* name : {"then_branch", "else_branch"}) {
      Attribute attribute;
      attribute.name = name;
      attribute.type = AttributeType::kGraph;
      attribute.value = inner;
      branch->set_attribute(std::move(attribute));
    }
    inner = Graph::create(store, "outer");
    inner->mutable_nodes().push_back(branch);
    inner->mutable_outputs().push_back(result);
    outermost = branch;
  }
  EXPECT_EQ(sweep.inference.infer(*outermost), "");
  EXPECT_EQ(outermost->outputs()[0]->shape(), DimList{2});
}

TEST(NodeInference, AGraphThatHoldsItselfIsRefused) {
  Sweep sweep("g (bool c, float[2] x) => (y) { y = Relu (x) }");
  Store& store = sweep.model.graph->store();
  const GraphRef inner = Graph::create(store, "inner");
  const NodeRef branch = Node::create(store, "If");
  branch->inputs().append(sweep.model.graph->inputs()[0]);
  branch->outputs().append(Tensor::variable(store, "r"));
  for (const char* name : {"then_branch", "else_branch"}) {
    Attribute attribute;
    attribute.name = name;
    attribute.type = AttributeType::kGraph;
    attribute.value = inner;
    branch->set_attribute(std::move(attribute));
  }
  inner->mutable_nodes().push_back(branch);
  inner->mutable_outputs().push_back(sweep.model.graph->inputs()[1]);
  sweep.inference.infer(*branch);  // ends
  inner->mutable_nodes().clear();  // counted references do not take cycles apart
}

// The library would count on beyond the last integer.
TEST(NodeInference, StepsOfAnyLengthAreSafe) {
  for (const char* step : {"9223372036854775807", "-9223372036854775808"}) {
    Sweep sweep(std::string("g (float[2,3,4] x) => (y) "
                            "<int64[1] one = {1}, int64[1] end = {9}, int64[1] axis = {0}, "
                            "int64[1] step = {") +
                step + "}> { s = Shape(x)  y = Slice(s, one, end, axis, step) }");
    EXPECT_THAT(sweep.infer_all(), IsEmpty());
  }
}

}  // namespace
}  // namespace graphsurgeon
