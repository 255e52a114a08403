// Writes JSON as Python's json.dumps(…, indent=4) does, byte for byte the same text, or compactly.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polygraphy {

// Where text goes.
class TextSink {
 public:
  virtual ~TextSink() = default;
  virtual void write(std::string_view text) = 0;
};

// Into anything that has write() itself, a file or a stream; it must outlive the sink.
template <typename Target>
class SinkInto : public TextSink {
 public:
  explicit SinkInto(Target& target) : target_(target) {}
  void write(std::string_view text) override { target_.write(text); }

 private:
  Target& target_;
};

class StringSink : public TextSink {
 public:
  void write(std::string_view text) override { text_ += text; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

enum class JsonStyle : bool { kIndented, kCompact };  // compact: without white space

class JsonWriter {
 public:
  explicit JsonWriter(TextSink& sink, JsonStyle style = JsonStyle::kIndented)
      : sink_(sink), style_(style) {}
  // Continues inside an array that another writer began, `depth` containers deep, at its first
  // element.
  static JsonWriter inside_array(TextSink& sink, int depth);

  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }
  void key(std::string_view key);

  void string(std::string_view utf8);
  void number(double value);
  void integer(std::integral auto value) { literal(std::to_string(value)); }
  void boolean(bool value);
  void null();
  // A value that is JSON already.
  void literal(std::string_view json);
  // An array; `put` writes each element.
  template <typename List, typename Put>
  void list(const List& elements, Put put) {
    begin_array();
    for (const auto& element : elements) put(element);
    end_array();
  }
  // A string of characters that need no escapes, in pieces.
  void begin_plain_string();
  void plain_text(std::string_view text) { sink_.write(text); }
  void end_plain_string() { sink_.write("\""); }
  // The caller writes a value itself.
  void external_value() { before_value(); }
  // The caller writes the elements of the innermost array itself.
  void external_elements() { counts_.back() = 1; }

 private:
  void begin(char bracket);
  void end(char bracket);
  void before_value();
  void new_line();

  TextSink& sink_;
  JsonStyle style_ = JsonStyle::kIndented;
  std::vector<int64_t> counts_;  // items so far in each open container
  bool after_key_ = false;
};

// The text in quotes, with everything outside ASCII as \uXXXX. Bytes that are not UTF-8 become lone
// surrogates, as Python's surrogateescape has them.
std::string json_quoted(std::string_view utf8);

}  // namespace polygraphy
