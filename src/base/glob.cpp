#include "base/glob.h"

#include "base/text.h"

namespace polygraphy {

Glob::Glob(std::string_view pattern) {
  std::vector<char32_t> letters;
  while (!pattern.empty()) {
    const CodePoint next = first_code_point(pattern);
    letters.push_back(next.value);
    pattern.remove_prefix(next.length);
  }

  const size_t size = letters.size();
  // Once no `]` follows, none follows later either: keeps patterns like "[[[[[" linear.
  bool sets_can_close = true;
  for (size_t i = 0; i < size; ++i) {
    const char32_t letter = letters[i];
    if (letter == '*') {
      // Several stars in a row are one.
      if (tokens_.empty() || tokens_.back().kind != Kind::kStar) tokens_.push_back({Kind::kStar});
      continue;
    }
    if (letter == '?') {
      tokens_.push_back({Kind::kAny});
      continue;
    }
    size_t close = i + 1;
    if (letter == '[' && sets_can_close) {
      if (close < size && letters[close] == '!') ++close;
      if (close < size && letters[close] == ']') ++close;
      while (close < size && letters[close] != ']') ++close;
      sets_can_close = close < size;
    }
    if (letter != '[' || !sets_can_close) {
      tokens_.push_back({Kind::kCharacter, letter});
      continue;
    }
    size_t at = i + 1;
    Token set{Kind::kSet, 0, ranges_.size(), 0};
    if (letters[at] == '!') {
      set.kind = Kind::kOtherThanSet;
      ++at;
    }
    while (at < close) {
      const bool is_range = at + 2 < close && letters[at + 1] == '-';
      const Range range{letters[at], letters[is_range ? at + 2 : at]};
      if (range.first <= range.last) ranges_.push_back(range);
      at += is_range ? 3 : 1;
    }
    set.ranges_end = ranges_.size();
    tokens_.push_back(set);
    i = close;
  }
}

bool Glob::matches_one(const Token& token, char32_t character) const {
  switch (token.kind) {
    case Kind::kCharacter:
      return token.character == character;
    case Kind::kAny:
      return true;
    case Kind::kStar:
      return false;
    case Kind::kSet:
    case Kind::kOtherThanSet:
      break;
  }
  for (size_t i = token.ranges_begin; i < token.ranges_end; ++i) {
    if (character >= ranges_[i].first && character <= ranges_[i].last) {
      return token.kind == Kind::kSet;
    }
  }
  return token.kind == Kind::kOtherThanSet;
}

bool Glob::matches(std::string_view text) const {
  // After a mismatch the last star takes one more character; earlier stars never need to.
  constexpr size_t kNone = static_cast<size_t>(-1);
  size_t token = 0;
  size_t after_star = kNone;
  std::string_view star_end;  // the text behind the part that the star matches
  while (!text.empty()) {
    if (token < tokens_.size() && tokens_[token].kind == Kind::kStar) {
      after_star = ++token;
      if (after_star == tokens_.size()) return true;
      star_end = text;
      continue;
    }
    const CodePoint next = first_code_point(text);
    if (token < tokens_.size() && matches_one(tokens_[token], next.value)) {
      ++token;
      text.remove_prefix(next.length);
      continue;
    }
    if (after_star == kNone) return false;
    star_end.remove_prefix(first_code_point(star_end).length);
    text = star_end;
    token = after_star;
  }
  while (token < tokens_.size() && tokens_[token].kind == Kind::kStar) ++token;
  return token == tokens_.size();
}

bool Glob::is_pattern(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

}  // namespace polygraphy
