#include "formats/json_values.h"

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

}  // namespace polygraphy
