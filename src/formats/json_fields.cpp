#include "formats/json_fields.h"

#include <cmath>

namespace polygraphy {

void JsonFields::text(std::string_view key, std::string_view value) {
  json_.key(key);
  json_.string(value);
}

void JsonFields::number(std::string_view key, double value) {
  json_.key(key);
  if (std::isnan(value)) return json_.string("NaN");
  if (std::isinf(value)) return json_.string(value > 0 ? "Infinity" : "-Infinity");
  json_.number(value);
}

void JsonFields::number_or_null(std::string_view key, const std::optional<double>& value) {
  if (value) return number(key, *value);
  json_.key(key);
  json_.null();
}

void JsonFields::integer(std::string_view key, int64_t value) {
  json_.key(key);
  json_.integer(value);
}

void JsonFields::boolean(std::string_view key, bool value) {
  json_.key(key);
  json_.boolean(value);
}

void JsonFields::list(std::string_view key, std::span<const std::string> values) {
  json_.key(key);
  json_.begin_array();
  for (const std::string& value : values) json_.string(value);
  json_.end_array();
}

}  // namespace polygraphy
