#include "models/attribute_bytes.h"

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"
#include "python_values.h"

namespace native {

using graphsurgeon::Attribute;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Store;
namespace wire = graphsurgeon::wire;

namespace {

// A message with one field of bytes.
std::string around(std::string_view message, uint32_t field) {
  return encoded([&](wire::Writer& out) { out.bytes(field, message); });
}

Model decoded_model(const std::string& graph) {
  const std::string model = around(graph, wire::model::kGraph);
  return graphsurgeon::load_model_from_bytes(std::as_bytes(std::span(model)), nullptr,
                                             "a value from Python");
}

}  // namespace

std::string_view field_of(std::string_view message, uint32_t field) {
  for (wire::Reader reader(message); reader.next();) {
    if (reader.key() == wire::bytes_key(field)) return reader.bytes();
  }
  return {};
}

PyRef encoded_attribute(const Node& node, const Attribute& attribute) {
  Model model;
  model.graph = Graph::create(node.store());
  const NodeRef carrier = Node::create(node.store(), "Carrier");
  carrier->set_attribute(attribute);
  model.graph->append(carrier);
  const std::string bytes = graphsurgeon::encode_model(model);
  const std::string_view graph = field_of(bytes, wire::model::kGraph);
  return to_bytes(field_of(field_of(graph, wire::graph::kNode), wire::node::kAttribute));
}

Attribute decoded_attribute(Store& store, std::string_view message) {
  const std::string node = around(message, wire::node::kAttribute);
  auto model = std::make_shared<Model>(decoded_model(around(node, wire::graph::kNode)));
  Attribute attribute = model->graph->nodes().at(0)->attributes()[0];
  store.keep_alive(std::move(model));  // the texts in it
  return attribute;
}

graphsurgeon::PayloadPtr decoded_tensor(std::string_view message, bool sparse) {
  const Model model = decoded_model(
      around(message, sparse ? wire::graph::kSparseInitializer : wire::graph::kInitializer));
  return model.graph->initializers().at(0)->payload();
}

}  // namespace native
