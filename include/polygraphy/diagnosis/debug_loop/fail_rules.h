// Rules that decide whether a check command failed.
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

  // Searches `text`, which need not be UTF-8. Throws Error if the pattern exceeds the limit of
  // steps.
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

  // A program ended by signal n counts as code -n. With `codes`, a listed code fails; if patterns
  // are given, too, one of them must match the output. With patterns alone, only a match fails,
  // even with code 0. `output`: the text of both streams.
  bool passes(const ExitStatus& status, std::string_view output) const;
};

}  // namespace polygraphy
