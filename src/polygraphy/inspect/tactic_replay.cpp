#include "polygraphy/inspect/tactic_replay.h"

#include <cstddef>
#include <span>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/os/mapped_file.h"
#include "formats/array_json.h"
#include "formats/json_reader.h"

namespace polygraphy {
namespace {

std::optional<int64_t> read_optional(JsonReader& json) {
  if (json.peek() != JsonReader::Type::kNull) return json.read_integer();
  json.read_null();
  return std::nullopt;
}

// Reads an object by its keys; `read(key)` reads the value of one that it knows, and says whether
// it does.
template <typename Read>
void read_object(JsonReader& json, Read&& read) {
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (!read(key)) json.skip_value();
  }
}

TacticTensor read_tensor(JsonReader& json) {
  TacticTensor tensor;
  read_object(json, [&](const std::string& key) {
    if (key == "dtype") {
      tensor.dtype = json.read_string();
    } else if (key == "strides") {
      for (json.enter_array(); json.next_element();) tensor.strides.push_back(json.read_integer());
    } else if (key == "vectorized_dim") {
      tensor.vectorized_dim = read_optional(json);
    } else if (key == "components_per_element") {
      tensor.components_per_element = read_optional(json);
    } else {
      return false;
    }
    return true;
  });
  return tensor;
}

std::vector<TacticTensor> read_tensors(JsonReader& json) {
  std::vector<TacticTensor> tensors;
  for (json.enter_array(); json.next_element();) tensors.push_back(read_tensor(json));
  return tensors;
}

TacticAlgorithm read_algorithm(JsonReader& json) {
  TacticAlgorithm algorithm;
  read_object(json, [&](const std::string& key) {
    if (key == "implementation") {
      algorithm.implementation = json.read_integer();
    } else if (key == "tactic") {
      algorithm.tactic = json.read_integer();
    } else if (key == "inputs") {
      algorithm.inputs = read_tensors(json);
    } else if (key == "outputs") {
      algorithm.outputs = read_tensors(json);
    } else {
      return false;
    }
    return true;
  });
  return algorithm;
}

[[noreturn]] void refuse(const std::string& source, const std::string& found) {
  throw Error("Provided JSON cannot be decoded into a TacticReplayData.\nNote: " + source +
              " holds " + found + ".");
}

// "None" for one that is not known, as in Python.
std::string to_text(const std::optional<int64_t>& number) {
  return number ? std::to_string(*number) : "None";
}

std::string to_text(const std::vector<TacticTensor>& tensors) {
  std::string text = "(";
  for (const TacticTensor& tensor : tensors) {
    if (text.size() > 1) text += ", ";
    text += "TensorInfo(" + tensor.dtype + ", " +
            py_tuple_repr(std::span<const int64_t>(tensor.strides)) + ", " +
            to_text(tensor.vectorized_dim) + ", " + to_text(tensor.components_per_element) + ")";
  }
  return text + (tensors.size() == 1 ? ",)" : ")");
}

}  // namespace

std::string to_text(const TacticAlgorithm& algorithm) {
  return "(Implementation: " + std::to_string(algorithm.implementation) +
         ", Tactic: " + std::to_string(algorithm.tactic) +
         ") | Inputs: " + to_text(algorithm.inputs) + " | Outputs: " + to_text(algorithm.outputs);
}

TacticReplay parse_tactic_replay(std::string_view text, const std::string& source) {
  JsonReader json(text, source);
  if (json.peek() != JsonReader::Type::kObject) refuse(source, "no object");
  TacticReplay replay;
  std::string marker;
  size_t layers = 0;  // where they are: the marker, which says that they are, comes last
  read_object(json, [&](const std::string& key) {
    if (read_marker(json, key, marker)) return true;
    if (key != "replay" || json.peek() != JsonReader::Type::kObject) return false;
    layers = json.offset();
    return false;
  });
  json.finish();
  if (marker != "TacticReplayData") {
    refuse(source, marker.empty() ? "an object without a class" : "an object of class " + marker);
  }
  if (layers == 0) refuse(source, "no layers");
  JsonReader entries(text, source, layers);
  entries.enter_object();
  for (std::string layer; entries.next_key(layer);) replay.set(layer, read_algorithm(entries));
  return replay;
}

TacticReplay load_tactic_replay(const std::string& path) {
  const auto file = MappedFile::open(path, AccessPattern::kSequential);
  const auto bytes = file->bytes();
  return parse_tactic_replay({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

}  // namespace polygraphy
