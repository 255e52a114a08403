// YAML documents: what the original's configurations of plugins are written in. The text is that of
// PyYAML (block style, keys in their order), the reading that of its safe loader (YAML 1.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace polygraphy {

struct YamlValue {
  using List = std::vector<YamlValue>;
  using Map = std::vector<std::pair<std::string, YamlValue>>;  // in the order of the text

  std::variant<std::monostate, bool, int64_t, double, std::string, List, Map> data;
  size_t line = 0;  // where it stands in the file, from 1; 0: in none

  bool is_null() const { return data.index() == 0; }
  const std::string* text() const { return std::get_if<std::string>(&data); }
  const List* list() const { return std::get_if<List>(&data); }
  const Map* map() const { return std::get_if<Map>(&data); }
  // Of a map; null: it is none, or has no such key.
  const YamlValue* find(std::string_view key) const;
  // "a list", "a text" …, for messages.
  std::string_view kind() const;
};

// The documents of a text; an empty text has none. `name` stands for the file in messages. Tuples
// of Python are lists, for the original writes some. Anchors may be used. Throws FormatError with
// the line for what is no YAML, for tags, dates and keys that are no texts, for numbers beyond 64
// bits, for a key that is there twice, and beyond the limits: 64 MiB of text, 100 levels, 4 million
// values after aliases are replaced.
std::vector<YamlValue> read_yaml(std::string_view text, const std::string& name);

// The documents as text, with "---" between them. Values must be nested no deeper than 100 levels.
// Other characters than ASCII are escaped. No documents: an empty text.
std::string yaml_text(std::span<const YamlValue> documents);

}  // namespace polygraphy
