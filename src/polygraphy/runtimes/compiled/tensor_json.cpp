#include "polygraphy/runtimes/compiled/tensor_json.h"

namespace polygraphy {

DimList read_shape(JsonReader& json) {
  DimList shape;
  for (const int64_t size : read_as<std::vector<int64_t>>(json)) {
    size < 0 ? static_cast<void>(shape.emplace_back())
             : static_cast<void>(shape.emplace_back(size));
  }
  return shape;
}

namespace {

// nullopt: null stands for a tensor that is left out.
std::optional<std::pair<std::string, TensorInfo>> read_tensor(JsonReader& json, bool* executed) {
  if (json.peek() == JsonReader::Type::kNull) {
    json.read_null();
    return std::nullopt;
  }
  std::pair<std::string, TensorInfo> tensor;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "name") {
      tensor.first = json.read_string();
    } else if (key == "dtype") {
      tensor.second.dtype = static_cast<DataType>(json.read_integer());
    } else if (key == "shape" && json.peek() == JsonReader::Type::kArray) {
      tensor.second.shape = read_shape(json);
    } else if (key == "executed") {
      const bool made = json.read_bool();
      if (executed) *executed &= made;
    } else {
      json.skip_value();
    }
  }
  return tensor;
}

}  // namespace

NamedTensors read_tensors(JsonReader& json, bool* executed) {
  NamedTensors tensors;
  json.enter_array();
  while (json.next_element()) {
    if (auto tensor = read_tensor(json, executed)) tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

}  // namespace polygraphy
