#include "base/regular_expression.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <cassert>

namespace polygraphy {
namespace {

PCRE2_SPTR bytes_of(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data());
}

}  // namespace

RegularExpression::RegularExpression(std::string_view pattern) {
  int reason = 0;
  PCRE2_SIZE place = 0;
  code_.reset(pcre2_compile(bytes_of(pattern), pattern.size(), 0, &reason, &place, nullptr));
  assert(code_ && "a pattern of the program is a regular expression");
}

void RegularExpression::Free::operator()(pcre2_real_code_8* code) const {
  pcre2_code_free(code);
}

bool RegularExpression::found(std::string_view text, unsigned options) const {
  pcre2_match_data* const match = pcre2_match_data_create_from_pattern(code_.get(), nullptr);
  const int result =
      pcre2_match(code_.get(), bytes_of(text), text.size(), 0, options, match, nullptr);
  pcre2_match_data_free(match);
  return result >= 0;
}

bool RegularExpression::matches(std::string_view text) const {
  return found(text, PCRE2_ANCHORED | PCRE2_ENDANCHORED);
}

bool RegularExpression::begins(std::string_view text) const {
  return found(text, PCRE2_ANCHORED);
}

std::string RegularExpression::replace_all(std::string_view text,
                                           std::string_view replacement) const {
  std::string result(2 * text.size() + 1, '\0');
  PCRE2_SIZE size = result.size();
  const int count =
      pcre2_substitute(code_.get(), bytes_of(text), text.size(), 0, PCRE2_SUBSTITUTE_GLOBAL,
                       nullptr, nullptr, bytes_of(replacement), replacement.size(),
                       reinterpret_cast<PCRE2_UCHAR*>(result.data()), &size);
  if (count <= 0) return std::string(text);
  result.resize(size);
  return result;
}

}  // namespace polygraphy
