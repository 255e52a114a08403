#include "polygraphy/data/inputs/constraints/infer_for.h"

#include <utility>

#include "base/log.h"
#include "graphsurgeon/fold/fold.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/passes/override_input_shapes.h"
#include "graphsurgeon/passes/toposort.h"

namespace polygraphy {
namespace {

void set_shapes(const OrderedMap<Shape>& shapes, graphsurgeon::Model& model) {
  std::vector<std::pair<graphsurgeon::TensorRef, graphsurgeon::DimList>> known;
  for (const auto& input : model.graph->inputs()) {
    const Shape* shape = shapes.find(std::string(input->name()));
    if (shape == nullptr) continue;
    known.emplace_back(input, graphsurgeon::DimList(shape->begin(), shape->end()));
  }
  graphsurgeon::override_input_shapes(model, known);
  graphsurgeon::toposort(model);
}

}  // namespace

void infer_for(const OrderedMap<Shape>& shapes, graphsurgeon::Model& model) {
  set_shapes(shapes, model);
  Logger silent;
  graphsurgeon::fold_constants(model, {.flatten_subgraphs = false}, silent);
}

std::vector<std::string> misfits(const OrderedMap<Shape>& shapes, graphsurgeon::Model& model) {
  set_shapes(shapes, model);
  Logger silent;
  return graphsurgeon::infer_shapes(model, {}, silent).problems;
}

}  // namespace polygraphy
