#include "formats/compact_json.h"

#include <fmt/format.h>

#include <cmath>

#include "formats/json_writer.h"

namespace polygraphy {

void CompactJson::separate() {
  if (after_value_) out_ += ',';
}

void CompactJson::begin(char bracket) {
  separate();
  out_ += bracket;
  after_value_ = false;
}

void CompactJson::end(char bracket) {
  out_ += bracket;
  after_value_ = true;
}

void CompactJson::key(std::string_view name) {
  separate();
  out_ += json_quoted(name);
  out_ += ':';
  after_value_ = false;
}

void CompactJson::literal(std::string_view json) {
  separate();
  out_ += json;
  after_value_ = true;
}

void CompactJson::text(std::string_view utf8) {
  literal(json_quoted(utf8));
}

void CompactJson::number(double value) {
  if (std::isnan(value)) return literal("NaN");
  if (std::isinf(value)) return literal(value > 0 ? "Infinity" : "-Infinity");
  literal(fmt::format("{}", value));
}

}  // namespace polygraphy
