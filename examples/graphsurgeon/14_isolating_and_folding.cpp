// Cuts a piece out of a model and folds what has become constant in it.
#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

int main() {
  gs::save_model(gs::parse_onnx_text(R"(
      original (float[N, 3, 8, 8] image) => (float[N, C] scores) {
        shape = Shape (image)
        first = Constant <value_ints = [0]> ()
        batch = Gather (shape, first)
        rest = Constant <value_ints = [-1]> ()
        flat_shape = Concat <axis = 0> (batch, rest)
        hidden = Relu (image)
        flat = Reshape (hidden, flat_shape)
        scores = Softmax (flat)
      })"),
                 "model.onnx");

  gs::Model model = gs::load_model("model.onnx");
  const gs::TensorMap tensors = model.graph->tensors();
  // The piece begins at `image`, now of a fixed size, and ends at `flat`.
  tensors["image"]->set_shape(gs::DimList{4, 3, 8, 8});
  tensors["flat"]->to_variable(gs::DataType::kFloat32, gs::DimList{4, 192});
  model.graph->mutable_outputs() = {tensors["flat"]};

  gs::Logger silent;
  gs::cleanup(model);
  gs::toposort(model);
  gs::fold_constants(model, {.partitioning = gs::Partitioning::kRecursive}, silent);
  gs::cleanup(model);
  gs::save_model(model, "subgraph.onnx");
}
