// A pull reader for JSON in memory, usually a mapped file of gigabytes: it builds no tree, returns
// strings as views, and skips unused values at the speed of memchr. Python's dialect: NaN, Infinity
// and -Infinity are numbers, lone surrogates may be escaped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polygraphy {

// Text between quotes as it stands in the file, escapes included.
struct JsonString {
  std::string_view raw;
};

class JsonReader {
 public:
  enum class Type { kObject, kArray, kString, kNumber, kBool, kNull };
  static constexpr size_t kMaxDepth = 256;

  // The length of the string at the start of a text, from its own header: a closing quote there
  // ends it, and nothing before is read. nullopt: it has no such header.
  using StringLength = std::optional<size_t> (*)(std::string_view text);

  // `source` names the text in messages. Reading starts at `offset`.
  JsonReader(std::string_view text, std::string source, size_t offset = 0,
             StringLength string_length = nullptr)
      : text_(text), source_(std::move(source)), string_length_(string_length), at_(offset) {}

  // All functions below throw FormatError naming source, line and byte if the text is not JSON or
  // not of the requested type.

  // The type of the next value; skips white space only.
  Type peek();
  // The cursor: where the next value starts after a peek().
  size_t offset() const { return at_; }
  // Of the value at or before the cursor, in the objects and arrays that are open:
  // "inputs[0].rank".
  std::string place() const;
  // The text up to the cursor.
  std::string_view passed() const { return text_.substr(0, at_); }

  // while (next_key(key)) { read or skip the value }
  void enter_object();
  bool next_key(std::string& key);
  // while (next_element()) { read or skip the value }
  void enter_array();
  bool next_element();

  JsonString read_raw_string();
  std::string read_string();
  // `text`, if not null, gets the number as it is written: "1", "1.0", "Infinity".
  double read_number(std::string_view* text = nullptr);
  // A number without fraction that fits.
  int64_t read_integer();
  bool read_bool();
  void read_null();
  // Any value. Not recursive.
  void skip_value();
  // The same; returns it as it is written.
  std::string_view raw_value();
  // Nothing but white space may follow.
  void finish();

  // UTF-8 of the text between the quotes. Lone surrogates U+DC80 to U+DCFF become the bytes that
  // Python escapes with them, others three bytes each.
  std::string unescape(JsonString string) const;

  [[noreturn]] void fail(const std::string& what) const { fail_at(at_, what); }
  [[noreturn]] void fail_at(size_t offset, const std::string& what) const;
  const std::string& source() const { return source_; }

 private:
  void skip_space();
  char front();
  std::string seen() const;
  void skip_scalar(Type type);
  std::string_view number_text();
  double number_value();
  bool skip_literal(std::string_view word);
  uint32_t read_hex4(std::string_view raw, size_t& i) const;

  std::string_view text_;
  std::string source_;
  StringLength string_length_;
  size_t at_ = 0;
  // An entered container: '{' or '['.
  struct Open {
    char bracket;
    size_t items = 0;           // so far
    std::string_view key = {};  // the last one, raw
  };
  std::vector<Open> open_;
};

}  // namespace polygraphy
