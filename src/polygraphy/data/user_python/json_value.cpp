#include "polygraphy/data/user_python/json_value.h"

#include <charconv>

namespace polygraphy {
namespace {

const JsonValue kNull;
const std::string kNoText;
const JsonValue::List kNoList;
const JsonValue::Object kNoObject;

}  // namespace

JsonValue JsonValue::read(JsonReader& json) {
  switch (json.peek()) {
    case JsonReader::Type::kObject: {
      Object object;
      json.enter_object();
      for (std::string key; json.next_key(key);) object.set(key, read(json));
      return object;
    }
    case JsonReader::Type::kArray: {
      List list;
      json.enter_array();
      while (json.next_element()) list.push_back(read(json));
      return list;
    }
    case JsonReader::Type::kString:
      return json.read_string();
    case JsonReader::Type::kNumber: {
      std::string_view text;
      const double number = json.read_number(&text);
      int64_t whole = 0;
      const char* end = text.data() + text.size();
      const auto parsed = std::from_chars(text.data(), end, whole);
      if (parsed.ec == std::errc{} && parsed.ptr == end) return whole;
      return number;
    }
    case JsonReader::Type::kBool:
      return json.read_bool();
    case JsonReader::Type::kNull:
      json.read_null();
      break;
  }
  return {};
}

void JsonValue::write(JsonWriter& json) const {
  if (is_null()) {
    json.null();
  } else if (const auto* truth = std::get_if<bool>(&value_)) {
    json.boolean(*truth);
  } else if (const auto* whole = std::get_if<int64_t>(&value_)) {
    json.integer(*whole);
  } else if (const auto* real = std::get_if<double>(&value_)) {
    json.number(*real);
  } else if (const auto* text = std::get_if<std::string>(&value_)) {
    json.string(*text);
  } else if (const auto* items = std::get_if<List>(&value_)) {
    json.begin_array();
    for (const JsonValue& item : *items) item.write(json);
    json.end_array();
  } else {
    json.begin_object();
    for (const auto& [key, value] : std::get<Object>(value_)) {
      json.key(key);
      value.write(json);
    }
    json.end_object();
  }
}

bool JsonValue::boolean() const {
  const bool* value = std::get_if<bool>(&value_);
  return value != nullptr && *value;
}

int64_t JsonValue::integer() const {
  const int64_t* value = std::get_if<int64_t>(&value_);
  return value == nullptr ? 0 : *value;
}

double JsonValue::number() const {
  if (const double* value = std::get_if<double>(&value_)) return *value;
  return static_cast<double>(integer());
}

const std::string& JsonValue::text() const {
  const std::string* value = std::get_if<std::string>(&value_);
  return value == nullptr ? kNoText : *value;
}

const JsonValue::List& JsonValue::list() const {
  const List* value = std::get_if<List>(&value_);
  return value == nullptr ? kNoList : *value;
}

const JsonValue::Object& JsonValue::object() const {
  const Object* value = std::get_if<Object>(&value_);
  return value == nullptr ? kNoObject : *value;
}

const JsonValue& JsonValue::operator[](std::string_view key) const {
  const JsonValue* value = object().find(key);
  return value == nullptr ? kNull : *value;
}

const JsonValue& JsonValue::operator[](size_t index) const {
  return index < list().size() ? list()[index] : kNull;
}

void JsonValue::set(std::string_view key, JsonValue value) {
  if (!std::holds_alternative<Object>(value_)) value_ = Object();
  std::get<Object>(value_).set(std::string(key), std::move(value));
}

}  // namespace polygraphy
