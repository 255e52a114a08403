#include "formats/json_values.h"

#include <limits>

namespace polygraphy {

std::vector<std::string> read_texts(JsonReader& json) {
  std::vector<std::string> texts;
  json.enter_array();
  while (json.next_element()) texts.push_back(json.read_string());
  return texts;
}

std::vector<int64_t> read_numbers(JsonReader& json) {
  std::vector<int64_t> numbers;
  json.enter_array();
  while (json.next_element()) numbers.push_back(json.read_integer());
  return numbers;
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

}  // namespace polygraphy
