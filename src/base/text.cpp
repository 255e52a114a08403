#include "base/text.h"

#include <algorithm>

namespace polygraphy {
namespace {

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

// Bytes of the line break that starts at `at`; 0: no line break.
size_t line_break_length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  switch (byte(at)) {
    case '\r':
      return byte(at + 1) == '\n' ? 2 : 1;
    case '\n':
    case '\v':
    case '\f':
    case 0x1c:
    case 0x1d:
    case 0x1e:
      return 1;
    case 0xc2:
      return byte(at + 1) == 0x85 ? 2 : 0;
    case 0xe2:
      return byte(at + 1) == 0x80 && (byte(at + 2) == 0xa8 || byte(at + 2) == 0xa9) ? 3 : 0;
    default:
      return 0;
  }
}

template <typename Text>
std::string join_texts(std::span<const Text> texts, std::string_view separator) {
  std::string result;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) result += separator;
    result += texts[i];
  }
  return result;
}

// Edits from `a` to `b` ignoring case, swaps of neighbours counted once (optimal string alignment).
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  size_t start = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t length = line_break_length(text, i);
    if (length == 0) {
      ++i;
      continue;
    }
    lines.push_back(text.substr(start, i - start));
    start = i += length;
  }
  if (start < text.size()) lines.push_back(text.substr(start));
  return lines;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (size_t start = 0;;) {
    const size_t end = text.find(separator, start);
    if (end == std::string_view::npos) {
      pieces.push_back(text.substr(start));
      return pieces;
    }
    pieces.push_back(text.substr(start, end - start));
    start = end + 1;
  }
}

std::string join(std::span<const std::string> texts, std::string_view separator) {
  return join_texts(texts, separator);
}

std::string join(std::span<const std::string_view> texts, std::string_view separator) {
  return join_texts(texts, separator);
}

std::string and_more(size_t count, size_t most, std::string_view before) {
  if (count <= most) return {};
  return std::string(before) + "and " + std::to_string(count - most) + " more";
}

std::string_view strip(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r\v\f\x1c\x1d\x1e\x1f";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return text.substr(text.size());
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string replace_all(std::string_view text, std::string_view what, std::string_view with) {
  std::string result;
  while (true) {
    const size_t at = text.find(what);
    result += text.substr(0, at);
    if (at == std::string_view::npos) return result;
    result += with;
    text.remove_prefix(at + what.size());
  }
}

std::string to_lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

std::string to_upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), upper);
  return result;
}

std::string indent(std::string_view text, int levels) {
  const std::string margin(static_cast<size_t>(std::max(levels, 0)) * 4, ' ');
  std::string result = margin;
  bool first = true;
  for (const std::string_view line : split_lines(text)) {
    if (!first) result += '\n' + margin;
    result += line;
    first = false;
  }
  return result;
}

CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned lead = byte(0);
  const CodePoint invalid{static_cast<char32_t>(0xdc00 + lead), 1};
  if (lead < 0x80) return {lead, 1};
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return invalid;
  char32_t value = lead & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return invalid;
    value = value << 6 | (byte(i) & 0x3f);
  }
  // Overlong forms, surrogates and values beyond Unicode.
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) {
    return invalid;
  }
  return {value, length};
}

size_t code_points(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_code_point(text).length);
  return count;
}

std::string_view closest_match(std::string_view word,
                               std::span<const std::string_view> candidates) {
  std::string_view best;
  size_t best_distance = SIZE_MAX;
  for (const std::string_view candidate : candidates) {
    const size_t longer = std::max(word.size(), candidate.size());
    const size_t shorter = std::min(word.size(), candidate.size());
    const size_t limit = std::min(longer / 3, best_distance - 1);
    if (longer - shorter > limit) continue;
    const size_t distance = edit_distance(word, candidate);
    if (distance > limit) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace polygraphy
