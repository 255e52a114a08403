#include "models/given_model.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "arrays/buffer_array.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "python_values.h"

namespace native {

using graphsurgeon::Attribute;
using graphsurgeon::Payload;
using graphsurgeon::PayloadPtr;
using graphsurgeon::TensorRef;
using graphsurgeon::TensorValue;

graphsurgeon::Model given_model(PyObject* data, const std::string& folder) {
  const std::shared_ptr<const Py_buffer> buffer = buffer_of(data);
  const std::span<const std::byte> bytes(static_cast<const std::byte*>(buffer->buf),
                                         static_cast<size_t>(buffer->len));
  // Others may be read-only here and still change through another reference.
  std::shared_ptr<const void> owner;
  if (PyBytes_CheckExact(data)) owner = buffer;
  const WithoutGil released;
  return graphsurgeon::load_model_from_bytes(bytes, owner, "the model", folder);
}

namespace {

PayloadPtr in_memory(const PayloadPtr& values, std::string_view tensor) {
  return graphsurgeon::owned_payload(values->load(tensor).clone());
}

}  // namespace

void bring_in(graphsurgeon::Model& model, Payload::Kind kind) {
  const auto is_elsewhere = [&](const PayloadPtr& values) {
    return values && values->kind() == kind;
  };
  const auto bring_in_graph = [&](graphsurgeon::Graph& root) {
    for (graphsurgeon::Graph* graph : graphsurgeon::inner_graphs_first(root)) {
      for (const TensorRef& tensor : graph->initializers()) {
        if (is_elsewhere(tensor->payload())) {
          tensor->replace_values(in_memory(tensor->payload(), tensor->name()));
        }
      }
      for (const graphsurgeon::NodeRef& node : graph->nodes()) {
        std::vector<Attribute> changed;
        for (const Attribute& attribute : node->attributes()) {
          const auto* value = std::get_if<TensorValue>(&attribute.value);
          if (value == nullptr || !is_elsewhere(value->values)) continue;
          Attribute& copy = changed.emplace_back(attribute);
          std::get<TensorValue>(copy.value).values = in_memory(value->values, value->name);
          copy.encoded = {};
        }
        for (Attribute& attribute : changed) node->set_attribute(std::move(attribute));
      }
    }
  };
  bring_in_graph(*model.graph);
  for (const graphsurgeon::FunctionRef& function : model.functions) bring_in_graph(*function);
}

PyRef encoded_model(const graphsurgeon::Model& model) {
  return to_bytes(without_gil([&] { return graphsurgeon::encode_model(model); }));
}

}  // namespace native
