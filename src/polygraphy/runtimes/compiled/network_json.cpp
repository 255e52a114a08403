#include "polygraphy/runtimes/compiled/network_json.h"

#include <utility>

#include "base/arrays/dtype.h"
#include "base/error.h"
#include "base/os/mapped_file.h"
#include "formats/json_reader.h"
#include "polygraphy/runtimes/compiled/tensor_json.h"

namespace polygraphy {
namespace {

// The bytes behind the JSON; empty without an owner.
struct WeightBytes {
  std::string_view bytes = {};
  std::shared_ptr<const void> owner = {};
};

LayerAttribute::Enumerator enumerator_of(const std::string& text) {
  const size_t dot = text.find('.');
  if (dot == std::string::npos) return {"", text};
  return {text.substr(0, dot), text.substr(dot + 1)};
}

std::vector<double> read_floats(JsonReader& json) {
  std::vector<double> floats;
  json.enter_array();
  while (json.next_element()) floats.push_back(json.read_number());
  return floats;
}

LayerAttribute::Weights read_weights(JsonReader& json, const WeightBytes& behind) {
  LayerAttribute::Weights weights;
  int64_t at = 0;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "dtype") {
      weights.dtype = static_cast<DataType>(json.read_integer());
    } else if (key == "count") {
      weights.count = json.read_integer();
    } else if (key == "at") {
      at = json.read_integer();
    } else {
      json.skip_value();
    }
  }
  if (weights.count < 0 || at < 0) json.fail("weights have a negative count or place");
  const bool known = is_known(weights.dtype) && weights.dtype != DataType::kString;
  if (!behind.owner || !known) return weights;
  constexpr int64_t kMostPerByte = 8;
  const auto end = static_cast<int64_t>(behind.bytes.size());
  if (at > end || weights.count / kMostPerByte > end - at ||
      storage_bytes(weights.dtype, weights.count) > end - at)
    json.fail("weights exceed the end of the data");
  weights.values =
      Array::view(weights.dtype, {weights.count}, behind.bytes.data() + at, behind.owner)
          .contiguous_aligned();
  return weights;
}

// Throws FormatError.
LayerAttribute read_attribute(JsonReader& json, const WeightBytes& weights) {
  LayerAttribute attribute;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "name") {
      attribute.name = json.read_string();
    } else if (key == "int") {
      attribute.value = json.read_integer();
    } else if (key == "float") {
      attribute.value = json.read_number();
    } else if (key == "bool") {
      attribute.value = json.read_bool();
    } else if (key == "text") {
      attribute.value = json.read_string();
    } else if (key == "enum") {
      attribute.value = enumerator_of(json.read_string());
    } else if (key == "object") {
      attribute.value = LayerAttribute::Object{json.read_string()};
    } else if (key == "dims") {
      attribute.value = LayerAttribute::Dims{read_as<std::vector<int64_t>>(json)};
    } else if (key == "permutation") {
      attribute.value = LayerAttribute::Permutation{read_as<std::vector<int64_t>>(json)};
    } else if (key == "floats") {
      attribute.value = read_floats(json);
    } else if (key == "weights") {
      attribute.value = read_weights(json, weights);
    } else {
      json.skip_value();
    }
  }
  return attribute;
}

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
      network.flags = read_as<std::vector<std::string>>(json);
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
