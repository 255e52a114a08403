// The JSON Schema (draft 2020-12) of records: one definition each, with those that it consists of.
// Beside the words of JSON Schema, "x-python" is the name of a member in Python's class where that
// is another one, "" if it has none.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/ordered_map.h"
#include "base/record.h"
#include "formats/record_json.h"

namespace polygraphy {

class RecordSchemas {
 public:
  // Defines T and its parts, each before those that it is part of. The name of T.
  template <Record T>
  std::string_view add() {
    constexpr auto table = record_of(RecordOf<T>());
    if (definitions_.contains(table.name)) return table.name;
    StringSink sink;
    JsonWriter json(sink, JsonStyle::kCompact);
    write_definition<T>(json, table.meaning);
    definitions_.set(std::string(table.name), sink.text());
    return table.name;
  }

  // {"$schema": ..., "$ref": "#/$defs/<root>", "$defs": {...}}. `root` empty: without "$ref".
  std::string json(std::string_view root) const;

 private:
  template <Record T>
  void write_definition(JsonWriter& json, std::string_view meaning) {
    [[maybe_unused]] static const T standard{};
    json.begin_object();
    write_member(json, "type", "object");
    write_member(json, "description", meaning);
    json.key("properties");
    json.begin_object();
    each_member<T>([&](const auto& row) {
      if (row.kind == MemberKind::kInternal) return;
      json.key(row.name);
      json.begin_object();
      using Value = std::remove_cvref_t<decltype(std::invoke(row.get, standard))>;
      write_type_of<Value>(json, row);
      write_member(json, "description", row.meaning);
      if (row.optional && !row.nullable) {
        json.key("default");
        write_value(json, std::invoke(row.get, standard));
      }
      if (row.in_json_only || !row.in_python.empty()) write_member(json, "x-python", row.in_python);
      json.end_object();
    });
    json.end_object();
    json.key("required");
    json.begin_array();
    each_member<T>([&](const auto& row) {
      if (row.kind != MemberKind::kInternal && !row.optional) json.string(row.name);
    });
    json.end_array();
    json.end_object();
  }

  template <typename V, typename Row>
  void write_type_of(JsonWriter& json, const Row& row) {
    if constexpr (std::same_as<decltype(row.get), FormNumber>) {
      json.key("const");
      json.integer(row.get.number);
    } else if (row.as_rows) {
      write_member(json, "type", "object");
    } else if (row.bytes) {
      write_member(json, "type", "string");
      write_member(json, "contentEncoding", "base64");
    } else if (row.nullable) {
      any_of_null<V>(json);
    } else {
      write_type<V>(json);
      if (row.counts) {
        json.key("minimum");
        json.integer(0);
      }
    }
  }

  template <typename V>
  void write_type(JsonWriter& json) {
    if constexpr (std::same_as<V, bool>) {
      write_member(json, "type", "boolean");
    } else if constexpr (std::integral<V>) {
      write_member(json, "type", "integer");
    } else if constexpr (std::floating_point<V>) {
      write_member(json, "$ref", "#/$defs/number");
    } else if constexpr (std::convertible_to<V, std::string_view>) {
      write_member(json, "type", "string");
    } else if constexpr (std::is_enum_v<V>) {
      json.key("enum");
      json.begin_array();
      for (const V one : all_of(RecordOf<V>())) json.string(name_of(one));
      json.end_array();
    } else if constexpr (kIsOptional<V>) {
      any_of_null<typename V::value_type>(json);
    } else if constexpr (kIsList<V>) {
      write_member(json, "type", "array");
      json.key("items");
      object_of<typename V::value_type>(json);
    } else if constexpr (kIsMap<V>) {
      write_member(json, "type", "object");
      json.key("additionalProperties");
      object_of<std::remove_cvref_t<decltype(std::declval<V&>().begin()->second)>>(json);
    } else {
      write_member(json, "$ref", "#/$defs/" + std::string(add<V>()));
    }
  }

  template <typename V>
  void object_of(JsonWriter& json) {
    json.begin_object();
    write_type<V>(json);
    json.end_object();
  }
  template <typename V>
  void any_of_null(JsonWriter& json) {
    json.key("anyOf");
    json.begin_array();
    object_of<V>(json);
    json.begin_object();
    write_member(json, "type", "null");
    json.end_object();
    json.end_array();
  }
  OrderedMap<std::string> definitions_;  // as JSON
};

}  // namespace polygraphy
