// Counts compared units, and makes the verdict on all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "polygraphy/comparison/verdict/run_record.h"
#include "polygraphy/comparison/verdict/verdict.h"

namespace polygraphy {

// A unit that is compared for several samples counts once; it is off if it is for any of them.
class Tally {
 public:
  // A sample, with all its units.
  void add(const JudgedSample& sample);
  // `excess`: the error as a multiple of the limit.
  void compared(std::string_view name, bool passed, std::optional<double> excess = {});
  void not_compared(std::string_view name);
  // A unit that passes and has elements for no sample was not compared.
  void has_elements(std::string_view name, bool any);
  void next_sample() { ++samples_; }

  // Whether the agreement of verdict() is kDiffers. O(1).
  bool differs() const { return agreement_ == Agreement::kDiffers; }
  // The worst agreement of all units, with its reason; sides and measure are the caller's.
  Verdict verdict() const;

 private:
  using Names = std::set<std::string, std::less<>>;
  // In the order of the names.
  std::vector<std::string> empty() const;
  void judge(const JudgedUnit& unit);

  Names compared_, off_, left_;
  Names filled_, hollow_;  // in some sample
  std::string first_off_, worst_, reason_;
  Agreement agreement_ = Agreement::kAgrees;
  std::optional<double> excess_;
  std::optional<TokenCounts> tokens_;
  int64_t samples_ = 0;
};

}  // namespace polygraphy
