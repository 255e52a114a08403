// copy_model IN.onnx OUT.onnx: loads a model, looks at it and saves it.
#include <cstdio>

#include "base/error.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    const graphsurgeon::Model model = graphsurgeon::load_model(argv[1]);
    std::printf("%zu nodes\n", model.graph->nodes().size());
    if (model.graph->nodes().empty()) return 1;
    graphsurgeon::save_model(model, argv[2]);
  } catch (const polygraphy::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
