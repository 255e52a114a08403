// Takes a node out of a model: who comes before it makes what it made.
#include "graphsurgeon/graphsurgeon.h"

namespace gs = graphsurgeon;

int main() {
  gs::save_model(gs::parse_onnx_text(R"(
      <ir_version: 10, opset_import: ["" : 20, "com.example" : 1]>
      original (float[4] x) => (float[4] y) {
        before = Relu (x)
        after = com.example.FakeNodeToRemove (before)
        y = Neg (after)
      })"),
                 "model.onnx");

  gs::Model model = gs::load_model("model.onnx");
  gs::Node& fake = *model.graph->nodes()[1];

  // The node before the fake one gets its outputs; without outputs, the fake one is not used.
  gs::Node& before = *fake.i();
  before.outputs().assign(fake.outputs());
  fake.outputs().clear();

  gs::cleanup(model);
  gs::save_model(model, "removed.onnx");
}
