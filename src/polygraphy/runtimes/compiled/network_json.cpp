#include "polygraphy/runtimes/compiled/network_json.h"

#include <utility>

#include "base/error.h"
#include "base/os/mapped_file.h"
#include "formats/json_reader.h"
#include "polygraphy/runtimes/compiled/layer_attribute_json.h"
#include "polygraphy/runtimes/compiled/tensor_json.h"

namespace polygraphy {
namespace {

std::string source_of(const std::string& backend) {
  return "the description by " + backend + " of its network";
}

Metadata read_ports(JsonReader& json) {
  Metadata ports;
  for (auto& [name, info] : read_tensors(json)) ports.set(std::move(name), std::move(info));
  return ports;
}

NetworkLayer read_layer(JsonReader& json, const WeightBytes& weights) {
  NetworkLayer layer;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "name") {
      layer.name = json.read_string();
    } else if (key == "type") {
      layer.type = json.read_string();
    } else if (key == "op") {
      layer.op = json.read_string();
    } else if (key == "inputs") {
      layer.inputs = read_tensors(json);
    } else if (key == "outputs") {
      layer.outputs = read_tensors(json, &layer.executed);
    } else if (key == "attributes") {
      json.enter_array();
      while (json.next_element()) layer.attributes.push_back(read_attribute(json, weights));
    } else {
      json.skip_value();
    }
  }
  return layer;
}

NetworkDescription read(std::string_view text, const WeightBytes& weights,
                        const std::string& backend) {
  JsonReader json(text, source_of(backend));
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
      network.inputs = read_ports(json);
    } else if (key == "outputs") {
      network.outputs = read_ports(json);
    } else if (key == "layers") {
      json.enter_array();
      while (json.next_element()) network.layers.push_back(read_layer(json, weights));
    } else {
      json.skip_value();
    }
  }
  json.finish();
  return network;
}

}  // namespace

NetworkDescription read_network(std::string_view json, const std::string& backend) {
  return read(json, {}, backend);
}

NetworkDescription read_network_with_weights(std::string_view bytes,
                                             const std::shared_ptr<const void>& owner,
                                             const std::string& backend) {
  const size_t end = bytes.find('\n');
  if (end == std::string_view::npos)
    throw FormatError(source_of(backend) + " has no line break after its JSON",
                      "Use a back end built with this version.");
  return read(bytes.substr(0, end), {bytes.substr(end + 1), owner}, backend);
}

NetworkDescription read_network_file(const std::string& path, bool weights,
                                     const std::string& backend) {
  const auto file = MappedFile::open(path);
  const std::string_view bytes(reinterpret_cast<const char*>(file->bytes().data()),
                               file->bytes().size());
  return weights ? read_network_with_weights(bytes, file, backend) : read_network(bytes, backend);
}

}  // namespace polygraphy
