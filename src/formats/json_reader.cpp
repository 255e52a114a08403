#include "formats/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

#include "base/error.h"

namespace polygraphy {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void append_utf8(std::string& out, uint32_t code) {
  const auto put = [&out](uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

}  // namespace

void JsonReader::fail_at(size_t offset, const std::string& what) const {
  const std::string_view before = text_.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  throw FormatError(source_ + ": line " + std::to_string(line) + " (byte " +
                    std::to_string(offset) + "): " + what);
}

std::string JsonReader::place() const {
  std::string place;
  for (const Open& open : open_) {
    if (open.items == 0) break;
    if (open.bracket == '[') {
      place += '[' + std::to_string(open.items - 1) + ']';
    } else {
      place += (place.empty() ? "" : ".") + std::string(open.key);
    }
  }
  return place;
}

void JsonReader::skip_space() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

// The next character that is not white space; 0 at the end.
char JsonReader::front() {
  skip_space();
  return at_ < text_.size() ? text_[at_] : '\0';
}

std::string JsonReader::seen() const {
  if (at_ >= text_.size()) return "the end of the file";
  const auto c = static_cast<unsigned char>(text_[at_]);
  if (c >= 0x20 && c < 0x7F) return std::string("'") + text_[at_] + "'";
  return "byte " + std::to_string(c);
}

JsonReader::Type JsonReader::peek() {
  const char c = front();
  switch (c) {
    case '{':
      return Type::kObject;
    case '[':
      return Type::kArray;
    case '"':
      return Type::kString;
    case 't':
    case 'f':
      return Type::kBool;
    case 'n':
      return Type::kNull;
    case '-':
    case 'N':
    case 'I':
      return Type::kNumber;
    default:
      break;
  }
  if (is_digit(c)) return Type::kNumber;
  fail("expected a JSON value, found " + seen() + ".");
}

void JsonReader::enter_object() {
  if (front() != '{') fail("expected an object, found " + seen() + ".");
  if (open_.size() >= kMaxDepth) fail("nested too deeply.");
  ++at_;
  open_.push_back({'{'});
}

void JsonReader::enter_array() {
  if (front() != '[') fail("expected an array, found " + seen() + ".");
  if (open_.size() >= kMaxDepth) fail("nested too deeply.");
  ++at_;
  open_.push_back({'['});
}

bool JsonReader::next_key(std::string& key) {
  char c = front();
  if (c == '}') {
    ++at_;
    open_.pop_back();
    return false;
  }
  if (open_.back().items > 0) {
    if (c != ',') fail("expected ',' or '}' in an object, found " + seen() + ".");
    ++at_;
    c = front();
  }
  ++open_.back().items;
  if (c != '"') fail("expected a key in quotes, found " + seen() + ".");
  const JsonString raw = read_raw_string();
  key = unescape(raw);
  open_.back().key = raw.raw;
  if (front() != ':') fail("expected ':' after a key, found " + seen() + ".");
  ++at_;
  return true;
}

bool JsonReader::next_element() {
  const char c = front();
  if (c == ']') {
    ++at_;
    open_.pop_back();
    return false;
  }
  if (open_.back().items > 0) {
    if (c != ',') fail("expected ',' or ']' in an array, found " + seen() + ".");
    ++at_;
  }
  ++open_.back().items;
  return true;
}

JsonString JsonReader::read_raw_string() {
  if (front() != '"') fail("expected a string, found " + seen() + ".");
  const size_t start = at_ + 1;
  if (string_length_ != nullptr) {
    const auto length = string_length_(text_.substr(start));
    if (length && *length < text_.size() - start && text_[start + *length] == '"') {
      at_ = start + *length + 1;
      return {text_.substr(start, *length)};
    }
  }
  size_t from = start;
  for (;;) {
    const void* quote =
        from < text_.size() ? std::memchr(text_.data() + from, '"', text_.size() - from) : nullptr;
    if (quote == nullptr) fail("a string that starts here does not end.");
    const size_t end = static_cast<size_t>(static_cast<const char*>(quote) - text_.data());
    size_t backslashes = 0;
    while (end - backslashes > start && text_[end - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) {
      at_ = end + 1;
      return {text_.substr(start, end - start)};
    }
    from = end + 1;
  }
}

std::string JsonReader::read_string() {
  return unescape(read_raw_string());
}

uint32_t JsonReader::read_hex4(std::string_view raw, size_t& i) const {
  uint32_t code = 0;
  const std::string_view digits = raw.substr(std::min(i, raw.size()), 4);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (digits.size() < 4 || error != std::errc{} || end != digits.data() + 4) {
    fail_at(static_cast<size_t>(digits.data() - text_.data()),
            "expected four hexadecimal digits after \\u.");
  }
  i += 4;
  return code;
}

std::string JsonReader::unescape(JsonString string) const {
  const std::string_view raw = string.raw;
  std::string out;
  out.reserve(raw.size());
  for (size_t i = 0; i < raw.size();) {
    const char c = raw[i++];
    if (static_cast<unsigned char>(c) < 0x20) {
      fail_at(static_cast<size_t>(raw.data() - text_.data()) + i - 1,
              "a control character in a string must be escaped.");
    }
    if (c != '\\') {
      out += c;
      continue;
    }
    const char kind = raw[i++];  // a backslash is never the last character
    switch (kind) {
      case '"':
      case '\\':
      case '/':
        out += kind;
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'u': {
        uint32_t code = read_hex4(raw, i);
        if (code >= 0xD800 && code < 0xDC00 && raw.substr(i, 2) == "\\u") {
          size_t after = i + 2;
          const uint32_t low = read_hex4(raw, after);
          if (low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            i = after;
          }
        }
        if (code >= 0xDC80 && code < 0xDD00) {
          out += static_cast<char>(code - 0xDC00);
        } else {
          append_utf8(out, code);
        }
        break;
      }
      default:
        fail_at(static_cast<size_t>(raw.data() - text_.data()) + i - 2,
                "unknown escape in a string.");
    }
  }
  return out;
}

bool JsonReader::skip_literal(std::string_view word) {
  if (text_.substr(at_, word.size()) != word) return false;
  at_ += word.size();
  return true;
}

// Moves over a number of JSON's grammar; the cursor is at its first character.
std::string_view JsonReader::number_text() {
  const size_t start = at_;
  const auto digits = [this] {
    const size_t first = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return at_ > first;
  };
  const auto at = [this](char c) { return at_ < text_.size() && text_[at_] == c; };
  if (at('-')) ++at_;
  if (at('0')) {
    ++at_;
  } else if (!digits()) {
    fail("expected a number, found " + seen() + ".");
  }
  if (at('.')) {
    ++at_;
    if (!digits()) fail("expected a digit, found " + seen() + ".");
  }
  if (at('e') || at('E')) {
    ++at_;
    if (at('+') || at('-')) ++at_;
    if (!digits()) fail("expected a digit, found " + seen() + ".");
  }
  return text_.substr(start, at_ - start);
}

double JsonReader::read_number(std::string_view* text) {
  if (peek() != Type::kNumber) fail("expected a number, found " + seen() + ".");
  const size_t start = at_;
  const double value = number_value();
  if (text != nullptr) *text = text_.substr(start, at_ - start);
  return value;
}

double JsonReader::number_value() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (skip_literal("NaN")) return std::numeric_limits<double>::quiet_NaN();
  if (skip_literal("Infinity")) return kInfinity;
  if (skip_literal("-Infinity")) return -kInfinity;
  const std::string_view text = number_text();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    // Python: too great is infinite, too small is 0. A number below 1 has a negative exponent or a
    // leading "0.".
    const size_t e = text.find_first_of("eE");
    const bool small =
        e != std::string_view::npos ? text.substr(e + 1).starts_with('-') : text.find("0.") <= 1;
    value = small ? 0 : kInfinity;
    if (text.starts_with('-')) value = -value;
  }
  return value;
}

int64_t JsonReader::read_integer() {
  if (peek() != Type::kNumber) fail("expected a whole number, found " + seen() + ".");
  const size_t start = at_;
  const std::string_view text = number_text();
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    fail_at(start, "expected a whole number, found " + std::string(text.substr(0, 40)) + ".");
  }
  return value;
}

bool JsonReader::read_bool() {
  skip_space();
  if (skip_literal("true")) return true;
  if (skip_literal("false")) return false;
  fail("expected true or false, found " + seen() + ".");
}

void JsonReader::read_null() {
  skip_space();
  if (!skip_literal("null")) fail("expected null, found " + seen() + ".");
}

void JsonReader::skip_scalar(Type type) {
  switch (type) {
    case Type::kString:
      read_raw_string();
      break;
    case Type::kBool:
      read_bool();
      break;
    case Type::kNull:
      read_null();
      break;
    default:
      read_number();
      break;
  }
}

void JsonReader::skip_value() {
  const size_t outside = open_.size();
  std::string key;
  for (;;) {
    const Type type = peek();
    if (type == Type::kObject) {
      enter_object();
    } else if (type == Type::kArray) {
      enter_array();
    } else {
      skip_scalar(type);
    }
    // To the next value inside the array or object that was entered here.
    while (open_.size() > outside) {
      if (open_.back().bracket == '{' ? next_key(key) : next_element()) break;
    }
    if (open_.size() == outside) return;
  }
}

std::string_view JsonReader::raw_value() {
  peek();
  const size_t begin = at_;
  skip_value();
  return text_.substr(begin, at_ - begin);
}

void JsonReader::finish() {
  skip_space();
  if (at_ < text_.size()) fail("expected nothing more, found " + seen() + ".");
}

}  // namespace polygraphy
