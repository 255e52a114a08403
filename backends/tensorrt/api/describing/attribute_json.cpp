#include "tensorrt/api/describing/attribute_json.h"

#include <cmath>
#include <cstdio>

#include "tensorrt/api/option_text.h"
#include "tensorrt/api/tensor_layout.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

// As Python's json writes it.
std::string float_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", value);
  return text;
}

}  // namespace

void AttributeJson::put_float(double value) {
  json_.key("float").raw(float_text(value));
}

void AttributeJson::put_value(const nv::Dims& value) {
  json_.put("dims", to_vector(value));
}

void AttributeJson::put_value(const nv::Permutation& value) {
  json_.put("permutation", std::vector<int64_t>(value.order, value.order + nv::Dims::MAX_DIMS));
}

void AttributeJson::put_value(const nv::Weights& given) {
  nv::Weights value = given;
  if (!value.values || value.count < 0) value.count = 0;
  json_.key("weights").open('{').put("dtype", int64_t{onnx_type(value.type)});
  json_.put("count", value.count).put("at", static_cast<int64_t>(weight_bytes_)).close('}');
  const size_t bytes = bytes_of(value.type, value.count);
  weight_bytes_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  weights_.push_back(value);
}

void AttributeJson::put_value(const std::vector<float>& value) {
  json_.key("floats").open('[');
  for (const float each : value) json_.raw(float_text(each));
  json_.close(']');
}

}  // namespace tensorrt::TENSORRT_FAMILY
