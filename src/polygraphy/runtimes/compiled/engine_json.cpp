#include "polygraphy/runtimes/compiled/engine_json.h"

#include <utility>

#include "base/text.h"
#include "formats/json_reader.h"
#include "polygraphy/runtimes/compiled/tensor_json.h"

namespace polygraphy {
namespace {

// The first that is part of a format's text is its type, so a name stands before those that it
// contains. "UINT8" contains one, and is called so by the original, too.
constexpr std::pair<std::string_view, DataType> kTypes[] = {
    {"BFLOAT16", DataType::kBfloat16},
    {"FLOAT8E4M3", DataType::kFloat8E4M3FN},
    {"FLOAT8E5M2", DataType::kFloat8E5M2},
    {"FLOAT4", DataType::kFloat4E2M1},
    {"FLOAT", DataType::kFloat32},
    {"HALF", DataType::kFloat16},
    {"FP32", DataType::kFloat32},
    {"FP16", DataType::kFloat16},
    {"INT64", DataType::kInt64},
    {"INT32", DataType::kInt32},
    {"INT16", DataType::kInt16},
    {"INT8", DataType::kInt8},
    {"INT4", DataType::kInt4},
    {"UINT8", DataType::kUint8},
    {"BOOL", DataType::kBool},
};

DataType type_in(std::string format) {
  for (char& c : format) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  for (const auto& [name, type] : kTypes) {
    if (format.find(name) != std::string::npos) return type;
  }
  return DataType::kUndefined;
}

// Any text; "" for anything else.
std::string text_or_nothing(JsonReader& json) {
  if (json.peek() == JsonReader::Type::kString) return json.read_string();
  json.skip_value();
  return {};
}

std::pair<std::string, TensorInfo> read_layer_tensor(JsonReader& json) {
  std::string name, key, both, type, format;
  TensorInfo info;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "Name") {
      name = text_or_nothing(json);
    } else if (key == "Dimensions" && json.peek() == JsonReader::Type::kArray) {
      info.shape = read_shape(json);
    } else if (key == "Format/Datatype") {
      both = text_or_nothing(json);
    } else if (key == "Datatype") {  // from TensorRT 11 on
      type = text_or_nothing(json);
    } else if (key == "Format") {
      format = text_or_nothing(json);
    } else {
      json.skip_value();
    }
  }
  if (both.empty()) both = type + (type.empty() || format.empty() ? "" : " ") + format;
  info.dtype = type_in(both);
  if (!both.empty() && both.find("N/A") == std::string::npos) info.docstring = "Format: " + both;
  return {std::move(name), std::move(info)};
}

NamedTensors read_layer_tensors(JsonReader& json) {
  NamedTensors tensors;
  if (json.peek() != JsonReader::Type::kArray) {
    json.skip_value();
    return tensors;
  }
  json.enter_array();
  while (json.next_element()) tensors.push_back(read_layer_tensor(json));
  return tensors;
}

// An object with "Name", "LayerType", "Inputs" …; a text where the engine keeps names only, which
// is the layer's name then; nothing where it keeps less. Throws FormatError.
EngineLayer read_engine_layer(std::string_view text, const std::string& source) {
  constexpr const char* kUnknown = "Unknown";
  EngineLayer layer{.name = "", .type = kUnknown, .origin = kUnknown, .tactic = kUnknown};
  if (strip(text).empty()) return layer;
  JsonReader json(text, source);
  if (json.peek() != JsonReader::Type::kObject) {
    layer.name = text_or_nothing(json);
    json.finish();
    return layer;
  }
  layer.name = kUnknown;
  std::string key, tactic_name;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "Name") {
      layer.name = text_or_nothing(json);
    } else if (key == "LayerType") {
      layer.type = text_or_nothing(json);
    } else if (key == "Origin") {
      layer.origin = text_or_nothing(json);
    } else if (key == "TacticValue") {
      layer.tactic = text_or_nothing(json);
    } else if (key == "TacticName") {
      tactic_name = text_or_nothing(json);
    } else if (key == "Inputs") {
      layer.inputs = read_layer_tensors(json);
    } else if (key == "Outputs") {
      layer.outputs = read_layer_tensors(json);
    } else {
      json.skip_value();
    }
  }
  json.finish();
  if (layer.tactic == kUnknown && !tactic_name.empty()) layer.tactic = std::move(tactic_name);
  return layer;
}

EngineTensor read_engine_tensor(JsonReader& json) {
  EngineTensor tensor;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "name") {
      tensor.name = json.read_string();
    } else if (key == "input") {
      tensor.is_input = json.read_bool();
    } else if (key == "dtype") {
      tensor.info.dtype = static_cast<DataType>(json.read_integer());
    } else if (key == "shape") {
      tensor.info.shape = read_shape(json);
    } else {
      json.skip_value();
    }
  }
  return tensor;
}

std::vector<std::vector<int64_t>> read_lists_of_numbers(JsonReader& json) {
  std::vector<std::vector<int64_t>> lists;
  json.enter_array();
  while (json.next_element()) lists.push_back(read_as<std::vector<int64_t>>(json));
  return lists;
}

EngineRange read_range(JsonReader& json) {
  EngineRange range;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "name") {
      range.tensor = json.read_string();
    } else if (key == "shapes") {
      auto shapes = read_lists_of_numbers(json);
      if (shapes.size() != 3) json.fail("a profile has three shapes of an input");
      range.least = std::move(shapes[0]);
      range.usual = std::move(shapes[1]);
      range.greatest = std::move(shapes[2]);
    } else if (key == "values") {
      range.values = read_lists_of_numbers(json);
    } else {
      json.skip_value();
    }
  }
  return range;
}

std::vector<EngineRange> read_profile(JsonReader& json) {
  std::vector<EngineRange> profile;
  json.enter_array();
  while (json.next_element()) profile.push_back(read_range(json));
  return profile;
}

}  // namespace

EngineDescription read_engine(std::string_view text, const std::string& backend) {
  JsonReader json(text, "the description by " + backend + " of the engine");
  EngineDescription engine;
  std::string key;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "name") {
      engine.name = json.read_string();
    } else if (key == "refittable") {
      engine.refittable = json.read_bool();
    } else if (key == "memory") {
      engine.device_memory = json.read_integer();
    } else if (key == "verbosity") {
      engine.verbosity = json.read_string();
    } else if (key == "tensors") {
      json.enter_array();
      while (json.next_element()) engine.tensors.push_back(read_engine_tensor(json));
    } else if (key == "profiles") {
      json.enter_array();
      while (json.next_element()) engine.profiles.push_back(read_profile(json));
    } else if (key == "layers") {
      json.enter_array();
      while (json.next_element()) {
        std::vector<EngineLayer>& layers = engine.layers.emplace_back();
        for (const std::string& layer : read_as<std::vector<std::string>>(json)) {
          layers.push_back(read_engine_layer(layer, "the description by " + backend + " of layer " +
                                                        std::to_string(layers.size())));
        }
      }
    } else {
      json.skip_value();
    }
  }
  json.finish();
  return engine;
}

}  // namespace polygraphy
