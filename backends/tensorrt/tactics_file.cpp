#include "tensorrt/tactics_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/files.h"

namespace tensorrt {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kClass = "polygraphy_class";
constexpr const char* kRemedy = "--save-tactics makes such files.";

Json to_json(const std::vector<TacticTensor>& tensors) {
  Json list = Json::array();
  for (const TacticTensor& each : tensors) {
    list.push_back({{"dtype", each.dtype},
                    {"strides", each.strides},
                    {"vectorized_dim", each.vectorized_dim},
                    {"components_per_element", each.components_per_element},
                    {kClass, "TensorInfo"}});
  }
  return list;
}

// What a file leaves out, or says by null, is the same for all algorithms.
int64_t number_or(const Json& object, const char* key, int64_t usual) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? usual : found->get<int64_t>();
}

std::vector<TacticTensor> tensors_of(const Json& list) {
  std::vector<TacticTensor> tensors;
  for (const Json& each : list) {
    tensors.push_back(
        {each.at("dtype").get<std::string>(), each.at("strides").get<std::vector<int64_t>>(),
         number_or(each, "vectorized_dim", -1), number_or(each, "components_per_element", 1)});
  }
  return tensors;
}

}  // namespace

std::string to_text(const TacticAlgorithm& algorithm) {
  return "(Implementation: " + std::to_string(algorithm.implementation) +
         ", Tactic: " + std::to_string(algorithm.tactic) + ")";
}

const TacticAlgorithm* find(const Tactics& tactics, const std::string& layer) {
  const auto found = std::find_if(tactics.begin(), tactics.end(),
                                  [&](const auto& each) { return each.first == layer; });
  return found == tactics.end() ? nullptr : &found->second;
}

Tactics read_tactics(const std::string& path) {
  const auto text = pgb::read_file(path);
  if (!text) throw pgb::Failure("there is no file of tactics " + path, "Check its path.");
  try {
    const Json file = Json::parse(*text);
    Tactics tactics;
    for (const auto& [layer, algorithm] : file.at("replay").items()) {
      tactics.emplace_back(
          layer,
          TacticAlgorithm{algorithm.at("implementation"), algorithm.at("tactic"),
                          tensors_of(algorithm.at("inputs")), tensors_of(algorithm.at("outputs"))});
    }
    return tactics;
  } catch (const Json::parse_error& error) {
    throw pgb::Failure(
        path + " is no file of tactics: it is no JSON at byte " + std::to_string(error.byte),
        kRemedy);
  } catch (const Json::exception&) {
    throw pgb::Failure(path +
                           " is no file of tactics: it has no 'replay' of layers with "
                           "'implementation', 'tactic', 'inputs' and 'outputs'",
                       kRemedy);
  }
}

void write_tactics(const std::string& path, const Tactics& tactics) {
  Json replay = Json::object();
  for (const auto& [layer, algorithm] : tactics) {
    replay[layer] = {{"implementation", algorithm.implementation},
                     {"tactic", algorithm.tactic},
                     {"inputs", to_json(algorithm.inputs)},
                     {"outputs", to_json(algorithm.outputs)},
                     {kClass, "Algorithm"}};
  }
  const Json file = {{"replay", std::move(replay)}, {kClass, "TacticReplayData"}};
  // Names of layers need not be UTF-8.
  const std::string text = file.dump(4, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
  pgb::write_file_atomically(path, text.data(), text.size());
}

}  // namespace tensorrt
