// Custom operators: register them once, call them by name on any model.
#include <string>

#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

// Parameters are what the calls give: tensors, numbers, texts, lists, arrays.
gs::Tensor* matmul(gs::Graph& graph, gs::TensorRef a, gs::Array b) {
  return graph.layer({.op = "MatMul", .inputs = {a, b}, .outputs = {"matmul_out"}})[0];
}

gs::Tensor* add(gs::Graph& graph, gs::TensorRef a, gs::Array b) {
  return graph.layer({.op = "Add", .inputs = {a, b}, .outputs = {"add_out"}})[0];
}

// Clip had its limits in attributes before opset 11.
gs::Tensor* old_clip(gs::Graph& graph, gs::TensorRef x, float low, float high) {
  return graph.layer({.op = "Clip",
                      .inputs = {x},
                      .outputs = {"clip_out"},
                      .attrs = {{"min", low}, {"max", high}}})[0];
}

gs::Tensor* clip(gs::Graph& graph, gs::TensorRef x, float low, float high) {
  return graph.layer({.op = "Clip", .inputs = {x, low, high}, .outputs = {"clip_out"}})[0];
}

int main() {
  gs::register_op("matmul", matmul);
  gs::register_op("add", add);
  gs::register_op("clip", old_clip, {.opsets = {10}});
  gs::register_op("clip", clip);  // where none is registered for the very opset

  for (const int opset : {10, 18}) {
    gs::Model model = gs::make_model({.opset = opset});
    gs::Graph& graph = *model.graph;
    gs::TensorRef x = graph.variable("x", gs::DataType::kFloat32, {4, 2});
    graph.mutable_inputs() = {x};

    // Each call returns the list of its outputs.
    auto product = model.call("matmul", x, gs::Array::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
    auto sum = model.call("add", product[0], gs::Array::of<float>({3}, {1, 0, 1}));
    auto y = model.call("clip", sum[0], 0.f, 6.f);

    y[0]->set_dtype(gs::DataType::kFloat32);
    y[0]->set_shape(gs::DimList{4, 3});
    graph.mutable_outputs() = y;
    gs::save_model(model, "opset_" + std::to_string(opset) + ".onnx");
  }
}
