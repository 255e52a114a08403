#include "polygraphy/comparison/verdict/tally.h"

#include <cmath>

namespace polygraphy {
namespace {

void insert(std::set<std::string, std::less<>>& names, std::string_view name) {
  if (names.find(name) == names.end()) names.emplace(name);
}

}  // namespace

void Tally::compared(std::string_view name, bool passed, std::optional<double> excess) {
  insert(compared_, name);
  if (!passed) {
    insert(off_, name);
    if (first_off_.empty()) first_off_ = name;
  }
  if (!excess || std::isnan(*excess) || (excess_ && *excess <= *excess_)) return;
  excess_ = excess;
  worst_ = name;
}

void Tally::not_compared(std::string_view name) {
  insert(left_, name);
}

Verdict Tally::verdict() const {
  Verdict verdict;
  verdict.compared = static_cast<int64_t>(compared_.size());
  verdict.total = verdict.compared;
  for (const std::string& name : left_) verdict.total += compared_.contains(name) ? 0 : 1;
  verdict.off = static_cast<int64_t>(off_.size());
  verdict.samples = samples_;
  verdict.excess = excess_;
  if (compared_.empty()) return verdict;
  verdict.agreement = off_.empty() ? Agreement::kAgrees : Agreement::kDiffers;
  if (off_.empty() || off_.contains(worst_)) {
    verdict.worst = worst_;
  } else {
    verdict.worst = first_off_;
    verdict.excess.reset();
  }
  return verdict;
}

}  // namespace polygraphy
