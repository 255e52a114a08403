// Arithmetic on shapes: flattens the trailing dimensions of whatever comes in.
#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

// Plain functions make layers as readable as registered operators do.
gs::Tensor* shape_of(gs::Graph& graph, const gs::Arg& data) {
  return graph.layer({.op = "Shape", .inputs = {data}, .outputs = {"shape_out"}})[0];
}

gs::Tensor* gather(gs::Graph& graph, const gs::Arg& data, const gs::Arg& indices) {
  return graph.layer({.op = "Gather", .inputs = {data, indices}, .outputs = {"gather_out"}})[0];
}

gs::Tensor* product_of(gs::Graph& graph, const gs::Arg& data) {
  return graph.layer({.op = "ReduceProd",
                      .inputs = {data},
                      .outputs = {"product_out"},
                      .attrs = {{"axes", {0}}, {"keepdims", 1}}})[0];
}

gs::Tensor* concat(gs::Graph& graph, std::vector<gs::Arg> parts) {
  return graph.layer({.op = "Concat",
                      .inputs = std::move(parts),
                      .outputs = {"concat_out"},
                      .attrs = {{"axis", 0}}})[0];
}

int main() {
  gs::Model model = gs::make_model({.opset = 17});
  gs::Graph& graph = *model.graph;

  // Dimensions may be numbers, names, or neither.
  gs::TensorRef x = graph.variable("x", gs::DataType::kFloat32, {gs::Dim(), 3, "height", "width"});
  graph.mutable_inputs() = {x};

  gs::Tensor* shape = shape_of(graph, x);
  gs::Tensor* leading = gather(graph, shape, {0, 1});
  gs::Tensor* volume = product_of(graph, gather(graph, shape, {2, 3}));
  gs::Tensor* flat = concat(graph, {leading, volume});
  gs::Tensor* y =
      graph.layer({.op = "Reshape", .inputs = {x, flat}, .outputs = {"reshape_out"}})[0];

  // Outputs may have a better name than the generated one.
  y->set_name("y");
  y->set_dtype(gs::DataType::kFloat32);
  y->set_shape(gs::DimList{gs::Dim(), 3, gs::Dim()});
  graph.mutable_outputs() = {y};

  gs::save_model(model, "flatten.onnx");
}
