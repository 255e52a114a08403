// A small JSON document in memory: the headers of messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/ordered_map.h"
#include "formats/json_reader.h"
#include "formats/json_writer.h"

namespace polygraphy {

class JsonValue {
 public:
  using List = std::vector<JsonValue>;
  using Object = OrderedMap<JsonValue>;

  JsonValue() = default;  // null
  JsonValue(bool value) : value_(value) {}
  JsonValue(int value) : value_(int64_t{value}) {}
  JsonValue(int64_t value) : value_(value) {}
  JsonValue(double value) : value_(value) {}
  JsonValue(const char* text) : value_(std::string(text)) {}
  JsonValue(std::string_view text) : value_(std::string(text)) {}
  JsonValue(std::string text) : value_(std::move(text)) {}
  JsonValue(List list) : value_(std::move(list)) {}
  JsonValue(Object object) : value_(std::move(object)) {}

  // Throws FormatError.
  static JsonValue read(JsonReader& json);
  void write(JsonWriter& json) const;

  bool is_null() const { return value_.index() == 0; }
  bool is_boolean() const { return std::holds_alternative<bool>(value_); }
  bool is_integer() const { return std::holds_alternative<int64_t>(value_); }
  bool is_text() const { return std::holds_alternative<std::string>(value_); }
  bool is_list() const { return std::holds_alternative<List>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }

  // Accessors of another type return an empty value: false, 0, "", [], null.
  bool boolean() const;
  int64_t integer() const;  // a number without fraction
  double number() const;
  const std::string& text() const;
  const List& list() const;
  const Object& object() const;
  const JsonValue& operator[](std::string_view key) const;  // of an object
  const JsonValue& operator[](size_t index) const;          // of a list

  // Converts the value to an object if it is not one.
  void set(std::string_view key, JsonValue value);

 private:
  std::variant<std::monostate, bool, int64_t, double, std::string, List, Object> value_;
};

}  // namespace polygraphy
