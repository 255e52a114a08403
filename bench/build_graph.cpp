// Builds a graph of N nodes with Graph::layer(), as an exporter would, and prints the CPU
// nanoseconds per node.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/ir/make.h"

int main(int, char** argv) {
  const long count = std::atol(argv[1]);
  const std::clock_t start = std::clock();
  graphsurgeon::Model model = graphsurgeon::make_model({.opset = 17});
  graphsurgeon::Graph& graph = *model.graph;
  graphsurgeon::TensorRef x =
      graph.variable("x", graphsurgeon::DataType::kFloat32, graphsurgeon::DimList{1, 64});
  graph.mutable_inputs().push_back(x);
  for (long i = 0; i < count; ++i) {
    x = graph.layer({.op = "Add", .inputs = {x, 1.0f}, .outputs = {"sum"}})[0];
  }
  graph.mutable_outputs().push_back(x);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (graph.nodes().size() != static_cast<size_t>(count)) return 1;
  std::printf("%.1f\n", seconds * 1e9 / static_cast<double>(count));
  graphsurgeon::abandon(std::move(model));
}
