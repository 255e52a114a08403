#include "polygraphy/runtimes/compiled/engine_json.h"

#include <utility>

#include "formats/json_reader.h"
#include "polygraphy/runtimes/compiled/engine_layer_json.h"
#include "polygraphy/runtimes/compiled/tensor_json.h"

namespace polygraphy {
namespace {

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
  while (json.next_element()) lists.push_back(read_numbers(json));
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
        for (const std::string& layer : read_texts(json)) {
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
