// Loads arbitrary bytes as a model, looks at everything in it, and writes it again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

#include "base/error.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/save.h"

namespace {

using namespace graphsurgeon;

// Larger ones (a few bytes may claim gigabytes, as a sparse tensor does) are not made dense here.
constexpr int64_t kMostBytes = 1 << 20;

Model load(std::span<const std::byte> bytes) {
  const std::shared_ptr<const void> kept_by_the_caller(bytes.data(), [](const void*) {});
  return load_model_from_bytes(bytes, kept_by_the_caller, "fuzz.onnx");
}

size_t look_at(const Model& model) {
  size_t seen = 0;
  for (const Graph* graph : all_graphs(model)) {
    seen += graph->tensor_map().size();
    for (const NodeRef& node : graph->nodes()) {
      seen += node->attributes().size() + node->doc_string().size() + node->subgraphs().size();
      for (const Tensor* tensor : node->inputs()) seen += tensor->producers().size();
    }
    for (const auto* list :
         {&graph->inputs(), &graph->outputs(), &graph->value_infos(), &graph->initializers()}) {
      for (const TensorRef& tensor : *list) {
        const auto shape = tensor->shape();
        seen += (shape ? shape->size() : 0) + tensor->doc_string().size();
      }
    }
  }
  for_each_payload(model, [&](const PayloadUse& use) {
    if (use.values->nbytes() > kMostBytes || use.values->size() > kMostBytes) return;
    try {
      seen += static_cast<size_t>(use.values->load(use.name).size());
    } catch (const polygraphy::Error&) {
    }
  });
  return seen;
}

std::string encoded_again(const Model& model) {
  model.graph->store().edited();
  return encode_model(model);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  try {
    const Model model = load(bytes);
    look_at(model);
    const std::string once = encoded_again(model);
    // A written model can be read, and writes the same bytes again.
    const Model back = load(std::as_bytes(std::span(once)));
    look_at(back);
    if (encoded_again(back) != once) std::abort();
    const std::string stripped = encode_without_payloads(model, 4);
    (void)load(std::as_bytes(std::span(stripped)));
  } catch (const polygraphy::Error&) {
    // Refused.
  }
  return 0;
}
