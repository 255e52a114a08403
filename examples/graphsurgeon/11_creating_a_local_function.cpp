// A local function of the model, with attributes, and four calls of it.
#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;
using gs::AttributeType;

int main() {
  gs::Model model = gs::make_model({.opset = 18});

  // "shift" has no default value, so that every call must give it.
  gs::FunctionRef function = gs::make_function(
      model, {.name = "ShiftedActivation",
              .domain = "com.example",
              .attrs = {{"shift", {}}, {"slope", 0.01}, {"permutation", {1, 0}}}});
  gs::TensorRef v = function->variable("v");
  gs::TensorRef w = function->variable("w");
  function->mutable_inputs() = {v};
  function->mutable_outputs() = {w};

  // Nodes inside take the values of their attributes from those of the call.
  auto& shift =
      function->layer({.op = "Constant",
                       .outputs = {"shift"},
                       .attrs = {{"value", gs::AttributeRef{"shift", AttributeType::kTensor}}}});
  auto& sum = function->layer({.op = "Add", .inputs = {v, shift}, .outputs = {"sum"}});
  auto& active =
      function->layer({.op = "LeakyRelu",
                       .inputs = {sum},
                       .outputs = {"active"},
                       .attrs = {{"alpha", gs::AttributeRef{"slope", AttributeType::kFloat}}}});
  function->layer({.op = "Transpose",
                   .inputs = {active},
                   .outputs = {w},
                   .attrs = {{"perm", gs::AttributeRef{"permutation", AttributeType::kInts}}}});

  gs::Graph& graph = *model.graph;
  gs::TensorRef x = graph.variable("x", gs::DataType::kFloat32, {2, 2});
  const gs::Array one = gs::Array::of<float>({}, {1});
  const gs::Array two = gs::Array::of<float>({}, {2});
  const auto call = [&](const gs::Arg& input, std::vector<gs::NamedArg> attrs) {
    return gs::call_function(graph, *function, {.inputs = {input}, .attrs = std::move(attrs)})[0];
  };
  gs::Tensor* a = call(x, {{"shift", one}});
  gs::Tensor* b = call(a, {{"shift", two}, {"slope", 0.5}});
  gs::Tensor* c = call(b, {{"shift", one}, {"permutation", {0, 1}}});
  gs::Tensor* d = call(c, {{"shift", two}, {"slope", 0.5}, {"permutation", {0, 1}}});

  d->set_dtype(gs::DataType::kFloat32);
  d->set_shape(gs::DimList{2, 2});
  graph.mutable_inputs() = {x};
  graph.mutable_outputs() = {d};
  gs::save_model(model, "function.onnx");
}
