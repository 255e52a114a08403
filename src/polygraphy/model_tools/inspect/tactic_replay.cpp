#include "polygraphy/model_tools/inspect/tactic_replay.h"

#include <cstddef>
#include <initializer_list>
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

// Reads a replay, and knows its place: "'tactic' of layer 'add'".
class ReplayReader {
 public:
  ReplayReader(std::string_view text, const std::string& source, size_t offset)
      : json_(text, source, offset) {}

  TacticReplay layers() {
    try {
      TacticReplay replay;
      json_.enter_object();
      for (std::string layer; json_.next_key(layer);) {
        owner_ = "layer '" + layer + "'";
        replay.set(layer, algorithm());
      }
      return replay;
    } catch (const FormatError& error) {
      if (place_.empty()) throw;
      throw FormatError(std::string(error.what()) + " Place: " + place_ + ".", error.hint());
    }
  }

 private:
  // Reads an object by its keys; `read(key)` reads the value of one that it knows, and says whether
  // it does. All of `required` have to be there.
  template <typename Read>
  void object(std::initializer_list<std::string_view> required, Read&& read) {
    std::vector<std::string_view> missing = required;
    place_ = owner_;
    json_.enter_object();
    for (std::string key; json_.next_key(key);) {
      const std::string owner = owner_;
      place_ = "'" + key + "' of " + owner;
      if (!read(key)) json_.skip_value();
      owner_ = owner;
      place_ = owner;
      std::erase(missing, key);
    }
    if (missing.empty()) return;
    place_.clear();
    json_.fail(owner_ + " has no '" + std::string(missing.front()) + "'");
  }

  TacticTensor tensor() {
    TacticTensor tensor;
    object({"dtype", "strides"}, [&](const std::string& key) {
      if (key == "dtype") {
        tensor.dtype = json_.read_string();
      } else if (key == "strides") {
        for (json_.enter_array(); json_.next_element();)
          tensor.strides.push_back(json_.read_integer());
      } else if (key == "vectorized_dim") {
        tensor.vectorized_dim = read_optional(json_);
      } else if (key == "components_per_element") {
        tensor.components_per_element = read_optional(json_);
      } else {
        return false;
      }
      return true;
    });
    return tensor;
  }

  // `noun`: "input".
  std::vector<TacticTensor> tensors(const char* noun) {
    std::vector<TacticTensor> tensors;
    const std::string layer = owner_;
    for (json_.enter_array(); json_.next_element();) {
      owner_ = noun + (" " + std::to_string(tensors.size())) + " of " + layer;
      tensors.push_back(tensor());
    }
    return tensors;
  }

  TacticAlgorithm algorithm() {
    TacticAlgorithm algorithm;
    object({"implementation", "tactic", "inputs", "outputs"}, [&](const std::string& key) {
      if (key == "implementation") {
        algorithm.implementation = json_.read_integer();
      } else if (key == "tactic") {
        algorithm.tactic = json_.read_integer();
      } else if (key == "inputs") {
        algorithm.inputs = tensors("input");
      } else if (key == "outputs") {
        algorithm.outputs = tensors("output");
      } else {
        return false;
      }
      return true;
    });
    return algorithm;
  }

  JsonReader json_;
  std::string owner_, place_;
};

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
  if (json.peek() != JsonReader::Type::kObject) refuse(source, "no JSON object");
  TacticReplay replay;
  std::string marker;
  size_t layers = 0;  // where they are: the marker, which says that they are, comes last
  try {
    json.enter_object();
    for (std::string key; json.next_key(key);) {
      if (read_marker(json, key, marker)) continue;
      if (key == "replay" && json.peek() == JsonReader::Type::kObject) layers = json.offset();
      json.skip_value();
    }
    json.finish();
  } catch (const FormatError&) {
    if (layers != 0) ReplayReader(text, source, layers).layers();  // says in which layer
    throw;
  }
  if (marker != "TacticReplayData") {
    refuse(source, marker.empty() ? "an object without a class" : "an object of class " + marker);
  }
  if (layers == 0) refuse(source, "no layers");
  return ReplayReader(text, source, layers).layers();
}

TacticReplay load_tactic_replay(const std::string& path) {
  const auto file = MappedFile::open(path, AccessPattern::kSequential);
  const auto bytes = file->bytes();
  return parse_tactic_replay({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

}  // namespace polygraphy
