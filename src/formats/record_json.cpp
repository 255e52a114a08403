#include "formats/record_json.h"

#include <cmath>
#include <limits>
#include <span>

#include "formats/base64.h"

namespace polygraphy {

void write_figure(JsonWriter& json, double value) {
  if (std::isnan(value)) return json.string("NaN");
  if (std::isinf(value)) return json.string(value > 0 ? "Infinity" : "-Infinity");
  json.number(value);
}

double read_figure(JsonReader& json) {
  if (json.peek() == JsonReader::Type::kNumber) return json.read_number();
  const size_t at = json.offset();
  const std::string text = json.read_string();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  if (text != "NaN") json.fail_at(at, "'" + text + "' is not a number.");
  return std::numeric_limits<double>::quiet_NaN();
}

int64_t read_count(JsonReader& json) {
  const size_t at = json.offset();
  const int64_t count = json.read_integer();
  if (count < 0 || count > int64_t{1} << 50) json.fail_at(at, "expected a count.");
  return count;
}

std::string base64_text(std::string_view bytes) {
  std::string text(Base64Encoder::text_limit(bytes.size()), '\0');
  Base64Encoder encoder;
  size_t size = encoder.encode(std::as_bytes(std::span(bytes)), text.data());
  size += encoder.finish(text.data() + size);
  text.resize(size);
  return text;
}

std::string read_base64(JsonReader& json) {
  const size_t at = json.offset();
  const std::string text = json.read_string();
  const auto size = decoded_base64_size(text);
  std::string bytes(size.value_or(0), '\0');
  if (!size || !decode_base64(text, reinterpret_cast<std::byte*>(bytes.data())))
    json.fail_at(at, "this is not base64.");
  return bytes;
}

bool skip_null(JsonReader& json) {
  if (json.peek() != JsonReader::Type::kNull) return false;
  json.read_null();
  return true;
}

}  // namespace polygraphy
