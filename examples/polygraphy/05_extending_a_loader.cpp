// Changes a model between loading and running it, with the graph library.
#include <cstdio>

#include "graphsurgeon/graphsurgeon.h"
#include "polygraphy/polygraphy.h"

namespace gs = graphsurgeon;
namespace pg = polygraphy;

int main() {
  // A function that changes what the loader gives; it may return another model instead.
  const auto load = pg::extend(pg::OnnxFromPath("identity.onnx"), [](gs::Model& model) {
    gs::Graph& graph = *model.graph;
    graph.set_name("MyIdentity");
    // Twice the input: y = x + x.
    const gs::NodeRef node = graph.nodes()[0];
    node->set_op("Add");
    node->inputs().append(graph.inputs()[0]);
    std::printf("Model name: %s\n", std::string(graph.name()).c_str());
  });

  // Loaders stack: each gets the result of the one before.
  pg::OnnxrtRunner runner(pg::SaveOnnx(load, "doubled.onnx"));
  pg::ActiveRunner active(runner);
  const pg::ValueMap outputs = active.infer({{"x", pg::full<float>({1, 1, 2, 2}, 2)}});
  if (!pg::bitwise_equal(pg::at(outputs, "y").tensor(), pg::full<float>({1, 1, 2, 2}, 4))) return 1;
  std::printf("Inference succeeded!\n");
}
