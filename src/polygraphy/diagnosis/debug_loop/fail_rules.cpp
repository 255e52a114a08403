#include "polygraphy/diagnosis/debug_loop/fail_rules.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>

#include "base/arrays/py_repr.h"
#include "base/error.h"

namespace polygraphy {
namespace {

std::string message_of(int code) {
  unsigned char text[256];
  if (pcre2_get_error_message(code, text, sizeof text) < 0) return "unknown reason";
  return reinterpret_cast<const char*>(text);
}

}  // namespace

struct Regex::Compiled {
  pcre2_code* code = nullptr;

  explicit Compiled(const std::string& pattern) {
    int reason = 0;
    PCRE2_SIZE place = 0;
    code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                         PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &reason, &place, nullptr);
    if (!code) {
      throw Error("Invalid regular expression: " + py_str_repr(pattern) + ": " +
                  message_of(reason) + " at position " + std::to_string(place));
    }
  }
  ~Compiled() { pcre2_code_free(code); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
};

Regex::Regex(const std::string& pattern)
    : pattern_(pattern), compiled_(std::make_unique<Compiled>(pattern)) {}
Regex::~Regex() = default;
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;

bool Regex::found_in(std::string_view text) const {
  pcre2_match_data* match = pcre2_match_data_create_from_pattern(compiled_->code, nullptr);
  const int result = pcre2_match(compiled_->code, reinterpret_cast<PCRE2_SPTR>(text.data()),
                                 text.size(), 0, 0, match, nullptr);
  pcre2_match_data_free(match);
  if (result == PCRE2_ERROR_NOMATCH) return false;
  if (result < 0) {
    throw Error("The search for the regular expression " + py_str_repr(pattern_) +
                    " in the check's output failed: " + message_of(result),
                "Use a simpler pattern.");
  }
  return true;
}

bool FailRules::passes(const ExitStatus& status, std::string_view output) const {
  const int code = status.signal ? -status.signal : status.code;
  const auto lists = [code](const std::vector<int>& list) {
    return std::find(list.begin(), list.end(), code) != list.end();
  };
  const auto printed = [&] {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const Regex& pattern) { return pattern.found_in(output); });
  };
  if (lists(ignored)) return true;
  if (!codes.empty()) return !(lists(codes) && (patterns.empty() || printed()));
  if (!patterns.empty()) return !printed();
  return code == 0;
}

}  // namespace polygraphy
