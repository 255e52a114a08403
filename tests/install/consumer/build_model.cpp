// build_model OUT.onnx: makes a model from nothing, by way of one header.
#include <cstdio>

#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    gs::register_op("leaky_relu", [](gs::Graph& graph, gs::TensorRef x, double alpha) {
      return graph.layer({.op = "LeakyRelu",
                          .inputs = {x},
                          .outputs = {"leaky_out"},
                          .attrs = {{"alpha", alpha}}})[0];
    });
    gs::Model model = gs::make_model({.opset = 17});
    const gs::TensorRef x = model.graph->variable("x", gs::DataType::kFloat32, {1, 3, "H", "W"});
    model.graph->mutable_inputs() = {x};
    model.graph->mutable_outputs() = model.call("leaky_relu", x, 0.01);
    model.graph->outputs()[0]->set_dtype(gs::DataType::kFloat32);
    model.graph->outputs()[0]->set_shape(x->shape());
    gs::toposort(model);
    gs::cleanup(model);
    gs::check_model(model);
    gs::save_model(model, argv[1]);
    std::printf("%s\n", gs::to_text(*model.graph->nodes()[0]).c_str());
  } catch (const polygraphy::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
