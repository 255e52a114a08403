#include "polygraphy/runtimes/compiled/layer_attribute_json.h"

#include <utility>

#include "base/arrays/dtype.h"
#include "polygraphy/runtimes/compiled/tensor_json.h"

namespace polygraphy {
namespace {

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

}  // namespace

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
      attribute.value = LayerAttribute::Dims{read_numbers(json)};
    } else if (key == "permutation") {
      attribute.value = LayerAttribute::Permutation{read_numbers(json)};
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

}  // namespace polygraphy
