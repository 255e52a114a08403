// Members of JSON objects, for documents that programs read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "formats/json_writer.h"

namespace polygraphy {

// A document derives from this, and begins and ends its objects with `json_`.
class JsonFields {
 protected:
  explicit JsonFields(TextSink& sink) : own_(sink), json_(*own_) {}
  // A part of a document, whose writer outlives it.
  explicit JsonFields(JsonWriter& json) : json_(json) {}

  void text(std::string_view key, std::string_view value);
  // Non-finite numbers are texts: "Infinity", "-Infinity", "NaN".
  void number(std::string_view key, double value);
  void number_or_null(std::string_view key, const std::optional<double>& value);
  void integer(std::string_view key, int64_t value);
  void boolean(std::string_view key, bool value);
  void list(std::string_view key, std::span<const std::string> values);

 private:
  std::optional<JsonWriter> own_;

 protected:
  JsonWriter& json_;
};

}  // namespace polygraphy
