#include "formats/json_writer.h"

#include <algorithm>
#include <cmath>

#include "base/arrays/py_repr.h"
#include "base/text.h"

namespace polygraphy {
namespace {

void append_unit(std::string& out, uint32_t unit) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[unit >> shift & 15];
}

// A lone surrogate in three bytes, which is not valid UTF-8 but the reader's form of one: its code,
// else 0.
uint32_t surrogate_at(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.size() < 3 || byte(0) != 0xED || byte(1) < 0xA0 || byte(1) > 0xBF || byte(2) < 0x80 ||
      byte(2) > 0xBF) {
    return 0;
  }
  return 0xD000u | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
}

}  // namespace

std::string json_quoted(std::string_view utf8) {
  const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; };
  std::string out;
  out.reserve(utf8.size() + 2);
  out = '"';
  while (true) {
    const auto plain = static_cast<size_t>(std::ranges::find_if_not(utf8, is_plain) - utf8.begin());
    out.append(utf8, 0, plain);
    utf8.remove_prefix(plain);
    if (utf8.empty()) return out += '"';
    size_t length = 1;
    switch (utf8.front()) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      default:
        if (const uint32_t surrogate = surrogate_at(utf8)) {
          append_unit(out, surrogate);
          length = 3;
        } else {
          const CodePoint point = first_code_point(utf8);
          length = point.length;
          if (point.value < 0x10000) {
            append_unit(out, point.value);
          } else {
            append_unit(out, 0xD800 + ((point.value - 0x10000) >> 10));
            append_unit(out, 0xDC00 + ((point.value - 0x10000) & 0x3FF));
          }
        }
    }
    utf8.remove_prefix(length);
  }
}

JsonWriter JsonWriter::inside_array(TextSink& sink, int depth) {
  JsonWriter writer(sink);
  writer.counts_.assign(static_cast<size_t>(depth), 0);
  return writer;
}

void JsonWriter::new_line() {
  if (style_ == JsonStyle::kCompact) return;
  sink_.write("\n");
  for (size_t i = 0; i < counts_.size(); ++i) sink_.write("    ");
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (counts_.empty()) return;
  if (counts_.back()++ > 0) sink_.write(",");
  new_line();
}

void JsonWriter::begin(char bracket) {
  before_value();
  sink_.write(std::string_view(&bracket, 1));
  counts_.push_back(0);
}

void JsonWriter::end(char bracket) {
  const bool empty = counts_.back() == 0;
  counts_.pop_back();
  if (!empty) new_line();
  sink_.write(std::string_view(&bracket, 1));
}

void JsonWriter::key(std::string_view key) {
  before_value();
  sink_.write(json_quoted(key));
  sink_.write(style_ == JsonStyle::kCompact ? ":" : ": ");
  after_key_ = true;
}

void JsonWriter::string(std::string_view utf8) {
  literal(json_quoted(utf8));
}

void JsonWriter::number(double value) {
  if (std::isnan(value)) return literal("NaN");
  if (std::isinf(value)) return literal(value > 0 ? "Infinity" : "-Infinity");
  literal(py_float_repr(value));
}

void JsonWriter::literal(std::string_view json) {
  before_value();
  sink_.write(json);
}

void JsonWriter::boolean(bool value) {
  literal(value ? "true" : "false");
}

void JsonWriter::null() {
  literal("null");
}

void JsonWriter::begin_plain_string() {
  before_value();
  sink_.write("\"");
}

}  // namespace polygraphy
