// Shell-style patterns for names: *, ?, [seq], [!seq], as Python's fnmatch.fnmatchcase.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polygraphy {

// A pattern, parsed once and matched against many names. Characters are Unicode code points; `/`
// and leading dots are nothing special; nothing escapes, but [*] matches a star. A `[` without its
// `]` stands for itself. In a set, `a-z` is a range (a reversed one is empty), a `]` or `-` at the
// front stands for itself, `!` at the front takes all others.
class Glob {
 public:
  explicit Glob(std::string_view pattern);

  // The whole text must match. O(pattern length x text length) at worst, linear for patterns with
  // at most one star; no recursion.
  bool matches(std::string_view text) const;

  // False when the pattern can only match itself.
  static bool is_pattern(std::string_view text);

 private:
  enum class Kind : unsigned char { kCharacter, kAny, kStar, kSet, kOtherThanSet };
  struct Range {
    char32_t first, last;
  };
  struct Token {
    Kind kind;
    char32_t character = 0;                   // kCharacter
    size_t ranges_begin = 0, ranges_end = 0;  // sets: in ranges_
  };

  bool matches_one(const Token& token, char32_t character) const;

  std::vector<Token> tokens_;
  std::vector<Range> ranges_;
};

}  // namespace polygraphy
