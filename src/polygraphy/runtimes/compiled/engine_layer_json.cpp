#include "polygraphy/runtimes/compiled/engine_layer_json.h"

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

}  // namespace

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

}  // namespace polygraphy
