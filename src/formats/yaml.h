// Values of YAML documents, which yaml_reader.h reads and yaml_writer.h writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/ordered_map.h"

namespace polygraphy {

struct YamlValue {
  using List = std::vector<YamlValue>;
  using Map = OrderedMap<YamlValue>;  // in the order of the text

  using Data = std::variant<std::monostate, bool, int64_t, double, std::string, List, Map>;

  YamlValue() = default;
  explicit YamlValue(Data value) : data(std::move(value)) {}

  Data data;
  size_t line = 0;  // where it stands in the file, from 1; 0: in none

  bool is_null() const { return data.index() == 0; }
  const std::string* text() const { return std::get_if<std::string>(&data); }
  const List* list() const { return std::get_if<List>(&data); }
  const Map* map() const { return std::get_if<Map>(&data); }
  // The value of a key; null: not a map, or the key is missing.
  const YamlValue* find(std::string_view key) const;
  // "a list", "a text" …, for messages.
  std::string_view kind() const;
};

}  // namespace polygraphy
