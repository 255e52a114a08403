#include "polygraphy/models/loaders/model_names.h"

#include <unordered_set>

#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace polygraphy {
namespace {

namespace wire = graphsurgeon::wire;

// The field `number` of a message, the last one if there are several; empty if it is missing.
std::string_view field(std::string_view message, uint32_t number) {
  std::string_view found;
  wire::Reader reader(message);
  while (reader.next()) {
    if (reader.key() == wire::bytes_key(number)) found = reader.bytes();
  }
  return found;
}

ModelNames read_graph_names(std::string_view graph) {
  constexpr uint32_t kValueInfoName = 1, kTensorName = 8, kSparseValues = 1;
  std::vector<std::string_view> inputs;
  std::unordered_set<std::string_view> initializers;
  ModelNames names;
  wire::Reader reader(graph);
  while (reader.next()) {
    switch (reader.key()) {
      case wire::bytes_key(wire::graph::kInput):
        inputs.push_back(field(reader.bytes(), kValueInfoName));
        break;
      case wire::bytes_key(wire::graph::kOutput):
        names.outputs.emplace_back(field(reader.bytes(), kValueInfoName));
        break;
      case wire::bytes_key(wire::graph::kInitializer):
        initializers.insert(field(reader.bytes(), kTensorName));
        break;
      case wire::bytes_key(wire::graph::kSparseInitializer):
        initializers.insert(field(field(reader.bytes(), kSparseValues), kTensorName));
        break;
      default:
        break;
    }
  }
  for (const std::string_view input : inputs) {
    if (!initializers.contains(input)) names.inputs.emplace_back(input);
  }
  return names;
}

}  // namespace

ModelNames read_model_names(std::string_view model) {
  try {
    return read_graph_names(field(model, wire::model::kGraph));
  } catch (const wire::ParseError&) {
    return {};
  }
}

}  // namespace polygraphy
