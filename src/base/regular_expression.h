// Regular expressions that the program brings itself, in the syntax of PCRE2, over bytes of any
// encoding.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct pcre2_real_code_8;

namespace polygraphy {

class RegularExpression {
 public:
  // `pattern` is right (checked by assertion).
  explicit RegularExpression(std::string_view pattern);

  // A text that is too hard to search has no match in the three below.

  // Whether all of a text is one match.
  bool matches(std::string_view text) const;
  // Whether a text begins with one.
  bool begins(std::string_view text) const;
  // A text with `replacement`, where $1 is the first group, in the place of every match. No
  // replacement may be longer than twice its match.
  std::string replace_all(std::string_view text, std::string_view replacement) const;

 private:
  struct Free {
    void operator()(pcre2_real_code_8* code) const;
  };
  bool found(std::string_view text, unsigned options) const;

  std::unique_ptr<pcre2_real_code_8, Free> code_;
};

}  // namespace polygraphy
