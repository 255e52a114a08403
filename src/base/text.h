// Small helpers for text: lines as Python splits them, indentation, near-miss suggestions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polygraphy {

// Python's str.splitlines() on UTF-8: breaks at \n, \r, \r\n, \v, \f, U+001C to U+001E, U+0085,
// U+2028 and U+2029. A break at the end does not start another line; empty text has no lines. The
// views point into `text`.
std::vector<std::string_view> split_lines(std::string_view text);

// At every occurrence of `separator`; n occurrences give n + 1 pieces, so empty text gives one.
std::vector<std::string_view> split(std::string_view text, char separator);
std::string join(std::span<const std::string> texts, std::string_view separator);
std::string join(std::span<const std::string_view> texts, std::string_view separator);

// The end of a list of which only the first `most` stand in a text: `before` + "and 3 more"; empty
// if all `count` stand there.
std::string and_more(size_t count, size_t most, std::string_view before);

// Without ASCII white space at both ends (Python's str.strip() for ASCII text).
std::string_view strip(std::string_view text);

// With every occurrence of `what`, which is not empty, replaced by `with`.
std::string replace_all(std::string_view text, std::string_view what, std::string_view with);

std::string to_lower(std::string_view text);  // ASCII letters only
std::string to_upper(std::string_view text);  // ASCII letters only

// Each line, empty ones too, with `levels` times four spaces in front, joined by \n: a line break
// at the end of `text` is dropped. Empty text gives the margin alone.
std::string indent(std::string_view text, int levels = 1);

// The code point at the front of non-empty UTF-8 text and its length in bytes. A byte that is not
// part of a valid sequence is one code point, U+DC00 + byte (surrogateescape in Python).
struct CodePoint {
  char32_t value;
  size_t length;
};
CodePoint first_code_point(std::string_view text);

// Number of Unicode code points in UTF-8 text (Python's len()); each byte that is not part of a
// valid sequence counts as one.
size_t code_points(std::string_view text);

// The candidate most like `word`, for "did you mean": fewest edits (insert, delete, replace, swap
// of neighbours; letter case costs nothing extra), at most a third of the longer one's length.
// Empty when none is close; the first one wins among equals. O(total length of the candidates x
// length of word).
std::string_view closest_match(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace polygraphy
