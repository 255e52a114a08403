// Frees the first dimension of a model that was exported for one batch size.
#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

int main() {
  gs::save_model(gs::parse_onnx_text(R"(
      original (float[2, 3, 4, 4] x) => (float[2, 48] y) <int64[2] shape = {2, 48}> {
        positive = Relu (x)
        y = Reshape (positive, shape)
      })"),
                 "model.onnx");

  gs::Model model = gs::load_model("model.onnx");
  const gs::TensorMap tensors = model.graph->tensors();

  tensors["x"]->set_dim(0, "N");
  tensors["y"]->set_dim(0, "N");
  // The exporter has written the batch size into the shape of a Reshape, too.
  tensors["shape"]->edit_values<int64_t>()[0] = -1;

  gs::save_model(model, "dynamic.onnx");
}
