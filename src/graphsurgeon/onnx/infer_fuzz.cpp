// Infers types, shapes and values of an arbitrary model that can be loaded, twice, node by node the
// second time, and writes it.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

#include "base/error.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/node_inference.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace {

using namespace graphsurgeon;

Model load(std::span<const std::byte> bytes) {
  const std::shared_ptr<const void> kept_by_the_caller(bytes.data(), [](const void*) {});
  return load_model_from_bytes(bytes, kept_by_the_caller, "fuzz.onnx");
}

size_t look_at(const DimList* elements) {
  size_t seen = 0;
  if (elements == nullptr) return seen;
  if (elements->size() > 1024) std::abort();
  for (const Dim& element : *elements) seen += element.param().size() + element.is_static();
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  try {
    Model model = load(bytes);
    polygraphy::Logger silent;
    const InferResult result = infer_shapes(model, {}, silent);
    if (result.changed == 0 && !model.untouched()) std::abort();
    NodeInference inference(model, silent);
    size_t seen = 0;
    for (const NodeRef& node : model.graph->nodes()) {
      seen += inference.infer(*node).size();
      for (const Tensor* output : node->outputs()) seen += look_at(inference.elements(*output));
    }
    for (const FunctionRef& function : model.functions) {
      for (const NodeRef& node : function->nodes()) {
        seen += inference.infer(*node, *function).size();
        for (const Tensor* output : node->outputs()) seen += look_at(inference.elements(*output));
      }
    }
    // The inferred model can be written and read again.
    const std::string encoded = encode_model(model);
    (void)load(std::as_bytes(std::span(encoded)));
    if (seen == SIZE_MAX) std::abort();
  } catch (const polygraphy::Error&) {
    // Refused.
  }
  return 0;
}
