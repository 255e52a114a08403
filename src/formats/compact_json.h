// JSON without white space, as the scripts of pages read it.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace polygraphy {

// Puts commas where they belong; the caller opens and closes as JSON wants it.
class CompactJson {
 public:
  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }
  void key(std::string_view name);

  void text(std::string_view utf8);
  void integer(std::integral auto value) { literal(std::to_string(value)); }
  // As a reader gets it back, to the last bit; NaN and infinities as Python's dialect has them.
  void number(double value);
  void null() { literal("null"); }
  // A value that is JSON already.
  void literal(std::string_view json);

  // An array of what `put` writes of each element.
  template <typename List, typename Put>
  void list(const List& elements, Put put) {
    begin_array();
    for (const auto& element : elements) put(element);
    end_array();
  }

  // The text so far.
  const std::string& str() const { return out_; }

 private:
  void separate();
  void begin(char bracket);
  void end(char bracket);

  std::string out_;
  bool after_value_ = false;
};

}  // namespace polygraphy
