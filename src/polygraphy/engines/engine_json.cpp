#include "polygraphy/engines/engine_json.h"

#include <utility>

#include "base/arrays/dtype.h"
#include "formats/json_reader.h"

namespace polygraphy {
namespace {

std::vector<std::string> read_texts(JsonReader& json) {
  std::vector<std::string> texts;
  json.enter_array();
  while (json.next_element()) texts.push_back(json.read_string());
  return texts;
}

DimList read_shape(JsonReader& json) {
  DimList shape;
  json.enter_array();
  while (json.next_element()) {
    const int64_t size = json.read_integer();
    size < 0 ? static_cast<void>(shape.emplace_back())
             : static_cast<void>(shape.emplace_back(size));
  }
  return shape;
}

// Returns whether it is made by the execution.
bool read_tensor(JsonReader& json, Metadata& tensors) {
  if (json.peek() == JsonReader::Type::kNull) {
    json.read_null();
    return true;
  }
  bool executed = true;
  std::string name, key;
  TensorInfo info;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "name") {
      name = json.read_string();
    } else if (key == "dtype") {
      info.dtype = static_cast<DataType>(json.read_integer());
    } else if (key == "shape" && json.peek() == JsonReader::Type::kArray) {
      info.shape = read_shape(json);
    } else if (key == "executed") {
      executed = json.read_bool();
    } else {
      json.skip_value();
    }
  }
  tensors.set(std::move(name), std::move(info));
  return executed;
}

Metadata read_tensors(JsonReader& json, bool* all_executed = nullptr) {
  Metadata tensors;
  json.enter_array();
  while (json.next_element()) {
    const bool executed = read_tensor(json, tensors);
    if (all_executed) *all_executed &= executed;
  }
  return tensors;
}

NetworkLayer read_layer(JsonReader& json) {
  NetworkLayer layer;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "name") {
      layer.name = json.read_string();
    } else if (key == "type") {
      layer.type = json.read_string();
    } else if (key == "inputs") {
      layer.inputs = read_tensors(json);
    } else if (key == "outputs") {
      layer.outputs = read_tensors(json, &layer.executed);
    } else {
      json.skip_value();
    }
  }
  return layer;
}

RefusedNode read_refused(JsonReader& json) {
  RefusedNode refused;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "node") {
      refused.node = json.read_integer();
    } else if (key == "name") {
      refused.name = json.read_string();
    } else if (key == "operator") {
      refused.op = json.read_string();
    } else if (key == "reason") {
      refused.reason = json.read_string();
    } else if (key == "functions") {
      refused.functions = read_texts(json);
    } else {
      json.skip_value();
    }
  }
  return refused;
}

ModelPart read_part(JsonReader& json) {
  ModelPart part;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "supported") {
      part.supported = json.read_bool();
    } else if (key == "nodes") {
      json.enter_array();
      while (json.next_element()) part.nodes.push_back(json.read_integer());
    } else {
      json.skip_value();
    }
  }
  return part;
}

}  // namespace

NetworkDescription read_network(std::string_view text, const std::string& backend) {
  JsonReader json(text, "what " + backend + " tells of its network");
  NetworkDescription network;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "name") {
      network.name = json.read_string();
    } else if (key == "flags") {
      network.flags = read_texts(json);
    } else if (key == "layer_precisions") {
      network.layer_precisions = json.read_bool();
    } else if (key == "inputs") {
      network.inputs = read_tensors(json);
    } else if (key == "outputs") {
      network.outputs = read_tensors(json);
    } else if (key == "layers") {
      json.enter_array();
      while (json.next_element()) network.layers.push_back(read_layer(json));
    } else {
      json.skip_value();
    }
  }
  json.finish();
  return network;
}

Capability read_capability(std::string_view text, const std::string& backend) {
  JsonReader json(text, "what " + backend + " takes of the model");
  Capability capability;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "supported") {
      capability.supported = json.read_bool();
    } else if (key == "errors") {
      json.enter_array();
      while (json.next_element()) capability.refused.push_back(read_refused(json));
    } else if (key == "subgraphs") {
      json.enter_array();
      while (json.next_element()) capability.parts.push_back(read_part(json));
    } else {
      json.skip_value();
    }
  }
  json.finish();
  return capability;
}

}  // namespace polygraphy
