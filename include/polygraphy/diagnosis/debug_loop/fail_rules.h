// Which endings of a check command count as failures.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/os/exit_status.h"

namespace polygraphy {

// Python's `re` syntax, as --fail-regex takes it: Perl's, with lookaround and backreferences.
class Regex {
 public:
  // Throws Error naming the pattern, the reason and its place.
  explicit Regex(const std::string& pattern);
  ~Regex();
  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;

  // Anywhere in `text`; of bytes that are not UTF-8, too. Throws Error when the pattern needs more
  // steps than any reasonable one.
  bool found_in(std::string_view text) const;

 private:
  struct Compiled;
  std::string pattern_;
  std::unique_ptr<Compiled> compiled_;
};

struct FailRules {
  std::vector<int> codes = {};    // only these fail; empty: all but 0
  std::vector<int> ignored = {};  // these pass
  std::vector<Regex> patterns = {};

  // A program ended by signal n counts as code -n. With `codes`, a listed code fails, if one of the
  // patterns (where there are any) is in the output too. With patterns alone, a match fails, even
  // with code 0, and nothing else does. `output`: what was printed to both streams.
  bool passes(const ExitStatus& status, std::string_view output) const;
};

}  // namespace polygraphy
