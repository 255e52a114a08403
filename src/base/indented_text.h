// A growing text with all lines at a margin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace polygraphy {

// Lines are begun, filled and ended. A line break inside a text (such as a name with a newline)
// starts another line at the same indentation, as if the finished text had been indented as a
// block. Line breaks are as in Python's str.splitlines(). Amortised O(bytes).
class IndentedText {
 public:
  // `text` stands before the first line.
  explicit IndentedText(std::string text = {}) : text_(std::move(text)) {}

  // Spaces in front of every line that begins from now on.
  size_t margin() const { return margin_; }
  void set_margin(size_t spaces) { margin_ = spaces; }

  // `indent`: spaces of this line after the margin.
  void begin_line(size_t indent = 0) {
    indent_ = margin_ + indent;
    text_.append(indent_, ' ');
  }
  void end_line() { text_ += '\n'; }
  void line(std::string_view text, size_t indent = 0) {
    begin_line(indent);
    put(text);
    end_line();
  }
  void blank_line() { line({}); }
  // Ends this line and begins the next: "a,\n b" is put("a,"), continue_line(1), put("b").
  void continue_line(size_t more = 0) {
    end_line();
    text_.append(indent_ + more, ' ');
  }
  // Where lines that continue this one begin, if not where it began itself.
  void set_indent(size_t indent) { indent_ = margin_ + indent; }

  void put(std::string_view text) { put_lines(text, false); }
  // As put(), but a line break at the end of `text` is dropped.
  void put_block(std::string_view text) { put_lines(text, true); }
  void put(char c) { text_ += c; }
  void put(int64_t number);

  // Makes room for a text of about this size.
  void reserve(size_t bytes) { text_.reserve(bytes); }

  // Without the white space at its end.
  std::string take();

 private:
  void put_lines(std::string_view text, bool drop_last_break);

  std::string text_;
  size_t margin_ = 0;
  size_t indent_ = 0;  // of the current line, margin included
};

}  // namespace polygraphy
