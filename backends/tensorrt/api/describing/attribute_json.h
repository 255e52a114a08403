// Attributes of layers as pgb_inspect wants them.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "common/json_text.h"
#include "tensorrt/api/headers.h"
#include "tensorrt/api/names.h"

namespace tensorrt::TENSORRT_FAMILY {

class AttributeJson {
 public:
  // Both outlive it.
  AttributeJson(pgb::JsonText& json, const Library& library) : json_(json), library_(library) {}

  // For functions that the first library of this family lacks: its tables of functions are shorter.
  // `least`: as of require_version().
  bool since(int32_t least) const {
    return library_.family() == Family::kRtx || library_.version_number() >= least;
  }

  template <typename Value>
  void put(const char* name, const Value& value) {
    json_.open('{').put("name", name);
    if constexpr (std::is_enum_v<Value>) {
      json_.put("enum", enum_text(value));
    } else if constexpr (std::is_floating_point_v<Value>) {
      put_float(value);
    } else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
      json_.put("int", static_cast<int64_t>(value));
    } else {
      put_value(value);
    }
    json_.close('}');
  }
  // An object of TensorRT, by its name.
  void put_object(const char* name, const char* object) {
    json_.open('{').put("name", name).put("object", object).close('}');
  }

  // The weights that were put, in order; they lie in the network. Behind the JSON, each of them
  // begins at a multiple of kAlignment.
  const std::vector<nv::Weights>& weights() const { return weights_; }
  static constexpr size_t kAlignment = 16;

 private:
  void put_float(double value);
  void put_value(bool value) { json_.put("bool", value); }
  void put_value(const char* value) { json_.put("text", value); }
  void put_value(const nv::Dims& value);
  void put_value(const nv::Permutation& value);
  void put_value(const nv::Weights& value);
  void put_value(const std::vector<float>& value);

  pgb::JsonText& json_;
  const Library& library_;
  std::vector<nv::Weights> weights_;
  size_t weight_bytes_ = 0;
};

// The attributes of layers of one type (layer_attributes.cpp), under the names of TensorRT's Python
// module and in their alphabetical order.
void put_attributes(AttributeJson& out, nv::ILayer& layer);
// "LayerType.SHUFFLE"; for layers with a kind, the kind: "ActivationType.RELU".
std::string operation_of(nv::ILayer& layer);

}  // namespace tensorrt::TENSORRT_FAMILY
