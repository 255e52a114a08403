// Records (base/record.h) and their members, as JSON: as objects, or as rows, which are arrays of
// the members' values in their order, without default values at their end.
//
// Numbers that are not finite are the texts "NaN", "Infinity" and "-Infinity", which Python's
// float() and JavaScript's Number() read.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/ordered_map.h"
#include "base/record.h"
#include "formats/json_reader.h"
#include "formats/json_writer.h"

namespace polygraphy {

enum class RecordForm : bool { kObject, kRow };

// The parts that are not templates. They throw FormatError.
void write_figure(JsonWriter& json, double value);
double read_figure(JsonReader& json);
// At most 2^50, so that sums fit.
int64_t read_count(JsonReader& json);
bool skip_null(JsonReader& json);  // true: it was null
std::string base64_text(std::string_view bytes);
std::string read_base64(JsonReader& json);

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <typename T>
inline constexpr bool kIsList = false;
template <typename T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <typename T>
inline constexpr bool kIsMap = false;
template <typename T>
inline constexpr bool kIsMap<OrderedMap<T>> = true;
template <typename T>
inline constexpr bool kIsMap<std::unordered_map<std::string, T>> = true;

// Whether the value is the same as one that is left out.
template <typename T>
bool is_standard(const T& value, const T& standard) {
  if constexpr (kIsOptional<T>) {
    return value.has_value() == standard.has_value();
  } else if constexpr (kIsList<T> || kIsMap<T>) {
    return value.empty() && standard.empty();
  } else if constexpr (Record<T>) {
    return false;
  } else {
    return value == standard;
  }
}

// `Value` of an unordered map, by name.
template <typename Map>
auto entries_by_name(const Map& map) {
  std::vector<const typename Map::value_type*> entries;
  for (const auto& entry : map) entries.push_back(&entry);
  std::ranges::sort(entries, {}, [](const auto* entry) -> const auto& { return entry->first; });
  return entries;
}

template <typename T>
void write_value(JsonWriter& json, const T& value, RecordForm form = RecordForm::kObject);

template <Record T>
void write_object(JsonWriter& json, const T& value, RecordForm form) {
  [[maybe_unused]] static const T standard{};
  json.begin_object();
  each_member<T>([&](const auto& row) {
    if (row.kind == MemberKind::kInternal) return;
    const auto& one = std::invoke(row.get, value);
    if (row.optional &&
        is_standard(one, std::remove_cvref_t<decltype(one)>(std::invoke(row.get, standard))))
      return;
    json.key(row.name);
    if constexpr (std::same_as<decltype(one), const std::string&>) {
      if (row.nullable && one.empty()) return json.null();
      if (row.bytes) return json.string(base64_text(one));
    }
    write_value(json, one, row.as_rows ? RecordForm::kRow : form);
  });
  json.end_object();
}

template <Record T>
void write_row(JsonWriter& json, const T& value) {
  [[maybe_unused]] static const T standard{};
  int64_t last = 0, place = 0;  // of the values that are not left out
  each_member<T>([&](const auto& row) {
    if (row.kind == MemberKind::kDerived) return;
    ++place;
    if (!is_standard(std::invoke(row.get, value), std::invoke(row.get, standard))) last = place;
  });
  place = 0;
  json.begin_array();
  each_member<T>([&](const auto& row) {
    if (row.kind == MemberKind::kDerived || ++place > last) return;
    write_value(json, std::invoke(row.get, value), RecordForm::kRow);
  });
  json.end_array();
}

template <typename T>
void write_value(JsonWriter& json, const T& value, RecordForm form) {
  if constexpr (std::same_as<T, bool>) {
    json.boolean(value);
  } else if constexpr (std::integral<T>) {
    json.integer(static_cast<int64_t>(value));
  } else if constexpr (std::floating_point<T>) {
    write_figure(json, value);
  } else if constexpr (std::convertible_to<T, std::string_view>) {
    json.string(value);
  } else if constexpr (std::is_enum_v<T>) {
    json.string(name_of(value));
  } else if constexpr (kIsOptional<T>) {
    value ? write_value(json, *value, form) : json.null();
  } else if constexpr (kIsList<T>) {
    json.begin_array();
    for (const auto& one : value) write_value(json, one, form);
    json.end_array();
  } else if constexpr (kIsMap<T>) {
    const auto write_entry = [&](const auto& entry) {
      json.key(entry.first);
      write_value(json, entry.second, form);
    };
    json.begin_object();
    if constexpr (requires { value.at_index(0); }) {
      for (const auto& entry : value) write_entry(entry);
    } else {
      for (const auto* entry : entries_by_name(value)) write_entry(*entry);
    }
    json.end_object();
  } else if (form == RecordForm::kRow) {
    write_row(json, value);
  } else {
    write_object(json, value, form);
  }
}

template <typename T>
void read_value(JsonReader& json, T& value, RecordForm form = RecordForm::kObject);

template <Worded T>
T read_word(JsonReader& json) {
  const size_t at = json.offset();
  const std::string name = json.read_string();
  if (const auto word = parse_word<T>(name)) return *word;
  std::string known;
  for (const T one : all_of(RecordOf<T>()))
    known += (known.empty() ? "" : ", ") + std::string(name_of(one));
  json.fail_at(at, "unknown word '" + name + "': the words are " + known + ".");
}

// One member of a record. `Row`: of its table.
template <typename T, typename Row>
void read_member(JsonReader& json, const Row& row, T& value, RecordForm form) {
  if constexpr (requires { row.get.set; }) {
    auto read = row.get(value);
    const size_t at = json.offset();
    read_value(json, read, form);
    try {
      row.get.set(value, std::move(read));
    } catch (const Error& error) {
      json.fail_at(at, error.what());
    }
  } else {
    auto& into = std::invoke(row.get, value);
    if (row.nullable && skip_null(json)) return;
    if constexpr (std::same_as<decltype(into), std::string&>) {
      if (row.bytes) return void(into = read_base64(json));
    }
    if constexpr (std::integral<std::remove_reference_t<decltype(into)>>) {
      if (row.counts) return void(into = static_cast<decltype(into + 0)>(read_count(json)));
    }
    read_value(json, into, row.as_rows ? RecordForm::kRow : form);
  }
}

// Whether a reader can set the member: its row gives a reference, or has `set`, which may throw
// Error for values that it refuses.
template <typename T, typename Row>
inline constexpr bool kIsReadable = requires(const std::remove_reference_t<Row>& row, T& value) {
  row.get.set;
} || requires(const std::remove_reference_t<Row>& row, T& value) {
  requires std::is_lvalue_reference_v<decltype(std::invoke(row.get, value))>;
  requires !std::is_const_v<std::remove_reference_t<decltype(std::invoke(row.get, value))>>;
};

// The name of the first required member that is missing; empty: none is.
template <Record T>
std::string_view read_object(JsonReader& json, T& value, RecordForm form) {
  std::vector<std::string_view> missing;
  each_member<T>([&](const auto& row) {
    if (row.required) missing.push_back(row.name);
  });
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    bool known = false;
    each_member<T>([&](const auto& row) {
      if (known || row.name != key) return;
      if constexpr (std::same_as<decltype(row.get), FormNumber>) {
        known = true;
        if (json.read_integer() == row.get.number) std::erase(missing, row.name);
      } else if constexpr (kIsReadable<T, decltype(row)>) {
        constexpr bool mapped = requires { row.get.set; };
        if (row.kind == MemberKind::kInternal || (row.kind == MemberKind::kDerived && !mapped))
          return;
        known = true;
        if (row.required) std::erase(missing, row.name);
        read_member(json, row, value, form);
      }
    });
    if (!known) json.skip_value();
  }
  return missing.empty() ? std::string_view() : missing.front();
}

template <Record T>
void read_row(JsonReader& json, T& value) {
  bool more = true;
  json.enter_array();
  each_member<T>([&](const auto& row) {
    if constexpr (kIsReadable<T, decltype(row)>) {
      if (row.kind == MemberKind::kDerived || !more) return;
      more = json.next_element();
      if (more) read_member(json, row, value, RecordForm::kRow);
    }
  });
  if (more && json.next_element()) json.fail("the row has more values than its record.");
}

template <typename T>
void read_value(JsonReader& json, T& value, RecordForm form) {
  if constexpr (std::same_as<T, bool>) {
    value = json.read_bool();
  } else if constexpr (std::integral<T>) {
    value = json.read_integer();
  } else if constexpr (std::floating_point<T>) {
    value = read_figure(json);
  } else if constexpr (std::same_as<T, std::string>) {
    value = json.read_string();
  } else if constexpr (std::is_enum_v<T>) {
    value = read_word<T>(json);
  } else if constexpr (kIsOptional<T>) {
    if (skip_null(json)) return value.reset();
    read_value(json, value.emplace(), form);
  } else if constexpr (kIsList<T>) {
    json.enter_array();
    while (json.next_element()) read_value(json, value.emplace_back(), form);
  } else if constexpr (kIsMap<T>) {
    json.enter_object();
    for (std::string name; json.next_key(name);) read_value(json, value[name], form);
  } else if (form == RecordForm::kRow) {
    read_row(json, value);
  } else {
    const size_t at = json.offset();
    const std::string_view missing = read_object(json, value, form);
    if (!missing.empty()) json.fail_at(at, "'" + std::string(missing) + "' is missing.");
  }
}

// A member of the object that `json` is in.
template <typename T>
void write_member(JsonWriter& json, std::string_view key, const T& value) {
  json.key(key);
  write_value(json, value);
}

// An object, indented.
template <Record T>
std::string record_text(const T& value) {
  StringSink sink;
  JsonWriter json(sink);
  write_value(json, value);
  return sink.text();
}
// The same and a line break.
template <Record T>
std::string record_json(const T& value) {
  return record_text(value) + "\n";
}
// A line without white space.
template <typename T>
std::string record_line(const T& value) {
  StringSink sink;
  JsonWriter json(sink, JsonStyle::kCompact);
  write_value(json, value);
  return sink.text() + "\n";
}
// Returns the value of `read`, which reads the whole text. Errors name their place: "inputs[0]".
template <typename Read>
auto read_whole(JsonReader& json, Read read) {
  try {
    auto value = read();
    json.finish();
    return value;
  } catch (const FormatError& error) {
    if (json.place().empty()) throw;
    throw FormatError(std::string(error.what()) + " Place: " + json.place() + ".", error.hint());
  }
}
// A value of any of these types.
template <typename T>
T read_as(JsonReader& json) {
  T value{};
  read_value(json, value);
  return value;
}
// Of the whole text. `source` names it in messages. Throws FormatError with `otherwise` for an
// object without the required members: "these are not the results of `polygraphy zoo`."
template <Record T>
T parse_record(std::string_view text, std::string source, const char* otherwise) {
  JsonReader json(text, std::move(source));
  return read_whole(json, [&] {
    T value{};
    if (!read_object(json, value, RecordForm::kObject).empty()) json.fail_at(0, otherwise);
    return value;
  });
}

}  // namespace polygraphy
