#include "polygraphy/data/user_python/metadata_json.h"

#include "base/error.h"

namespace polygraphy {
namespace {

JsonValue dimension(const Dim& dim) {
  if (dim.is_static()) return dim.value();
  if (dim.has_value() || dim.param().empty()) return -1;
  return dim.param();
}

Dim dimension_from(const JsonValue& json) {
  if (!json.is_integer()) return Dim(std::string_view(json.text()));
  return json.integer() < 0 ? Dim() : Dim(json.integer());
}

}  // namespace

JsonValue to_json(const Metadata& metadata) {
  JsonValue::List entries;
  for (const auto& [name, info] : metadata) {
    JsonValue shape;
    if (info.shape) {
      JsonValue::List dims;
      for (const Dim& dim : *info.shape) dims.push_back(dimension(dim));
      shape = std::move(dims);
    }
    entries.push_back(JsonValue::List{name, name_of(info.dtype), std::move(shape)});
  }
  return entries;
}

Metadata metadata_from(const JsonValue& json) {
  Metadata metadata;
  for (const JsonValue& entry : json.list()) {
    TensorInfo info;
    if (const std::string& type = entry[1].text(); !type.empty()) {
      const auto parsed = parse_data_type(type);
      if (!parsed) throw Error("Unknown data type '" + type + "'.");
      info.dtype = *parsed;
    }
    if (!entry[2].is_null()) {
      info.shape.emplace();
      for (const JsonValue& dim : entry[2].list()) info.shape->push_back(dimension_from(dim));
    }
    metadata.set(entry[size_t{0}].text(), std::move(info));
  }
  return metadata;
}

}  // namespace polygraphy
