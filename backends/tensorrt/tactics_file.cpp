#include "tensorrt/tactics_file.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "common/files.h"

namespace tensorrt {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kClass = "polygraphy_class";
constexpr const char* kLegacyPrefix = "__polygraphy_encoded_";  // of a key that says so
constexpr const char* kFileClass = "TacticReplayData";
constexpr const char* kAlgorithmClass = "Algorithm";
constexpr const char* kTensorClass = "TensorInfo";
constexpr const char* kRemedy = "--save-tactics writes tactic replay files.";
// Of TensorRT 10, which alone has tactics.
constexpr std::string_view kDataTypes[] = {"DataType.FLOAT", "DataType.HALF", "DataType.INT8",
                                           "DataType.INT32", "DataType.BOOL", "DataType.UINT8",
                                           "DataType.FP8",   "DataType.BF16", "DataType.INT64",
                                           "DataType.INT4",  "DataType.FP4",  "DataType.E8M0"};

Json to_json(const std::vector<TacticTensor>& tensors) {
  Json list = Json::array();
  for (const TacticTensor& each : tensors) {
    list.push_back({{"dtype", each.dtype},
                    {"strides", each.strides},
                    {"vectorized_dim", each.vectorized_dim},
                    {"components_per_element", each.components_per_element},
                    {kClass, kTensorClass}});
  }
  return list;
}

// A defect of a tactics file.
class Damage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A value of the file, and where it stands: "'tactic' of layer 'add'".
class Value {
 public:
  Value(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  const std::string& place() const { return place_; }
  const Json& object() const { return require(json_.is_object(), "an object"); }
  const Json& array() const { return require(json_.is_array(), "an array"); }
  // Null: it is left out, or null.
  const Json* find(const char* key) const {
    const auto found = object().find(key);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }
  Value at(const char* key) const {
    const Json* found = find(key);
    if (!found) throw Damage(place_ + " has no '" + key + "'");
    return {*found, "'" + std::string(key) + "' of " + place_};
  }
  std::string text() const { return require(json_.is_string(), "a text").get<std::string>(); }
  int64_t number(int64_t least = std::numeric_limits<int64_t>::min()) const {
    const bool fits = json_.is_number_integer() &&
                      (!json_.is_number_unsigned() ||
                       json_.get<uint64_t>() <= uint64_t{std::numeric_limits<int64_t>::max()});
    require(fits, "a whole number of 64 bits");
    require(json_.get<int64_t>() >= least, ("at least " + std::to_string(least)).c_str());
    return json_.get<int64_t>();
  }
  // The same for all algorithms, where it is left out.
  int64_t number_or(const char* key, int64_t usual, int64_t least) const {
    return find(key) ? at(key).number(least) : usual;
  }
  void require_class(const char* name) const {
    if (object().contains(kLegacyPrefix + std::string(name))) return;
    const std::string found = at(kClass).text();
    if (found != name) throw Damage(place_ + " is of class '" + found + "', not of '" + name + "'");
  }

 private:
  const Json& require(bool holds, const char* what) const {
    if (holds) return json_;
    throw Damage(place_ + " is " + seen() + ", not " + what);
  }

  // Of arrays and objects, which may be deep, only that they are.
  std::string seen() const {
    constexpr size_t kLongest = 40;
    if (json_.is_structured()) return json_.is_array() ? "an array" : "an object";
    const std::string text =
        json_.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
    return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
  }

  const Json& json_;
  std::string place_;
};

// `noun`: "input".
std::vector<TacticTensor> tensors_of(const Value& list, const char* noun,
                                     const std::string& owner) {
  std::vector<TacticTensor> tensors;
  for (const Json& each : list.array()) {
    const Value tensor(each, noun + (" " + std::to_string(tensors.size())) + " of " + owner);
    if (tensor.find(kClass)) tensor.require_class(kTensorClass);
    TacticTensor& made = tensors.emplace_back();
    const Value dtype = tensor.at("dtype");
    made.dtype = dtype.text();
    if (std::find(std::begin(kDataTypes), std::end(kDataTypes), made.dtype) == std::end(kDataTypes))
      throw Damage(dtype.place() + " is '" + made.dtype +
                   "', which is not a data type of TensorRT");
    const Value strides = tensor.at("strides");
    for (const Json& stride : strides.array())
      made.strides.push_back(Value(stride, "a number in " + strides.place()).number());
    made.vectorized_dim = tensor.number_or("vectorized_dim", -1, -1);
    made.components_per_element = tensor.number_or("components_per_element", 1, 1);
  }
  return tensors;
}

TacticAlgorithm algorithm_of(const Value& layer) {
  layer.object();
  if (layer.find(kClass)) layer.require_class(kAlgorithmClass);
  return {layer.at("implementation").number(), layer.at("tactic").number(),
          tensors_of(layer.at("inputs"), "input", layer.place()),
          tensors_of(layer.at("outputs"), "output", layer.place())};
}

// Keeps the keys on the way to where the parser is, so that a damage has a place.
class KeysOnTheWay {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    constexpr int kDeepest = 16;  // a file of tactics has 6 levels
    if (depth > kDeepest) throw Damage("its values nest too deeply" + place());
    const auto at = static_cast<size_t>(depth);
    if (event == Json::parse_event_t::key) {
      keys_.resize(at);
      keys_.back() = parsed.get<std::string>();
    } else if (event == Json::parse_event_t::object_end) {
      keys_.resize(std::min(keys_.size(), at));
    }
    return true;
  }
  // " in layer 'add', behind 'strides'"; empty before the first layer.
  std::string place() const {
    if (keys_.size() < 2 || keys_.front() != "replay") return {};
    return " in layer '" + keys_[1] + "'" +
           (keys_.size() > 2 ? ", after '" + keys_.back() + "'" : "");
  }

 private:
  std::vector<std::string> keys_;  // by depth; arrays have none
};

Tactics tactics_of(const Json& json) {
  const Value file(json, "the file");
  file.require_class(kFileClass);
  Tactics tactics;
  for (const auto& [layer, algorithm] : file.at("replay").object().items())
    tactics.emplace_back(layer, algorithm_of({algorithm, "layer '" + layer + "'"}));
  return tactics;
}

std::string to_text(const TacticTensor& tensor) {
  std::string text = "(" + tensor.dtype + ", strides (";
  for (size_t i = 0; i < tensor.strides.size(); ++i)
    text += (i ? ", " : "") + std::to_string(tensor.strides[i]);
  return text + "), vectorized_dim " + std::to_string(tensor.vectorized_dim) +
         ", components_per_element " + std::to_string(tensor.components_per_element) + ")";
}

void add_differences(std::vector<std::string>& differences, const char* noun,
                     const std::vector<TacticTensor>& recorded,
                     const std::vector<TacticTensor>& offered) {
  const std::string name = noun;
  if (recorded.size() != offered.size()) {
    differences.push_back(std::to_string(recorded.size()) + " " + name + "s, now " +
                          std::to_string(offered.size()));
  }
  for (size_t i = 0; i < std::min(recorded.size(), offered.size()); ++i) {
    if (recorded[i] == offered[i]) continue;
    differences.push_back(name + " " + std::to_string(i) + " as " + to_text(recorded[i]) +
                          ", now as " + to_text(offered[i]));
  }
}

}  // namespace

std::string to_text(const TacticAlgorithm& algorithm) {
  return "(Implementation: " + std::to_string(algorithm.implementation) +
         ", Tactic: " + std::to_string(algorithm.tactic) + ")";
}

bool same_variant(const TacticAlgorithm& a, const TacticAlgorithm& b) {
  return a.implementation == b.implementation && a.tactic == b.tactic;
}

std::vector<std::string> tensor_differences(const TacticAlgorithm& recorded,
                                            const TacticAlgorithm& offered) {
  std::vector<std::string> differences;
  add_differences(differences, "input", recorded.inputs, offered.inputs);
  add_differences(differences, "output", recorded.outputs, offered.outputs);
  return differences;
}

const TacticAlgorithm* find(const Tactics& tactics, const std::string& layer) {
  const auto found = std::find_if(tactics.begin(), tactics.end(),
                                  [&](const auto& each) { return each.first == layer; });
  return found == tactics.end() ? nullptr : &found->second;
}

Tactics read_tactics(const std::string& path) {
  const auto text = pgb::read_file(path);
  if (!text) throw pgb::bad_option("there is no tactic replay file " + path, "Check its path.");
  KeysOnTheWay keys;
  try {
    return tactics_of(Json::parse(*text, std::ref(keys)));
  } catch (const Json::exception& error) {
    const auto* parse_error = dynamic_cast<const Json::parse_error*>(&error);
    throw pgb::bad_option(path + " is not a tactic replay file: it is damaged" +
                              (parse_error ? " at byte " + std::to_string(parse_error->byte) : "") +
                              keys.place(),
                          kRemedy);
  } catch (const Damage& damage) {
    throw pgb::bad_option(path + " is not a tactic replay file: " + damage.what(), kRemedy);
  }
}

void write_tactics(const std::string& path, const Tactics& tactics) {
  Json replay = Json::object();
  for (const auto& [layer, algorithm] : tactics) {
    replay[layer] = {{"implementation", algorithm.implementation},
                     {"tactic", algorithm.tactic},
                     {"inputs", to_json(algorithm.inputs)},
                     {"outputs", to_json(algorithm.outputs)},
                     {kClass, kAlgorithmClass}};
  }
  const Json file = {{"replay", std::move(replay)}, {kClass, kFileClass}};
  // Names of layers need not be UTF-8.
  const std::string text = file.dump(4, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
  pgb::write_file_atomically(path, text.data(), text.size());
}

}  // namespace tensorrt
