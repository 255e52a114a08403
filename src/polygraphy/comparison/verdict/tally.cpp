#include "polygraphy/comparison/verdict/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace polygraphy {
namespace {

void insert(std::set<std::string, std::less<>>& names, std::string_view name) {
  if (names.find(name) == names.end()) names.emplace(name);
}

}  // namespace

void Tally::add(const JudgedSample& sample) {
  next_sample();
  for (const JudgedUnit& unit : sample.units) {
    has_elements(unit.name, unit.agreement != Agreement::kNotCompared);
    judge(unit);
    if (unit.tokens) {
      if (!tokens_) tokens_.emplace();
      TokenCounts counts = *unit.tokens;
      if (!counts.first_wrong.empty() && samples_ > 1)
        counts.first_wrong += fmt::format(" of sample {}", samples_ - 1);
      for (TokenFlip& flip : counts.all_flips) flip.sample = samples_ - 1;
      polygraphy::add(*tokens_, counts);
    }
  }
  for (const std::string& name : sample.left) not_compared(name);
}

void Tally::compared(std::string_view name, bool passed, std::optional<double> excess) {
  judge({.name = std::string(name),
         .agreement = passed ? Agreement::kAgrees : Agreement::kDiffers,
         .excess = excess});
}

void Tally::judge(const JudgedUnit& unit) {
  insert(compared_, unit.name);
  if (unit.failed()) {
    insert(off_, unit.name);
    if (first_off_.empty()) first_off_ = unit.name;
  }
  const bool farther =
      unit.excess && !std::isnan(*unit.excess) && (!excess_ || *unit.excess > *excess_);
  if (farther) {
    excess_ = unit.excess;
    worst_ = unit.name;
  }
  const Agreement agreement = std::min(unit.agreement, Agreement::kAgrees);
  if (agreement > agreement_) return;
  // Of equal ones, that of the unit that is farthest off.
  if (agreement < agreement_ || reason_.empty() || (farther && !unit.reason.empty()))
    reason_ = unit.reason;
  agreement_ = agreement;
}

void Tally::not_compared(std::string_view name) {
  insert(left_, name);
}

void Tally::has_elements(std::string_view name, bool any) {
  insert(any ? filled_ : hollow_, name);
}

std::vector<std::string> Tally::empty() const {
  std::vector<std::string> names;
  std::ranges::copy_if(hollow_, std::back_inserter(names), [this](const std::string& name) {
    return compared_.contains(name) && !filled_.contains(name) && !off_.contains(name);
  });
  return names;
}

Verdict Tally::verdict() const {
  Verdict verdict;
  verdict.total = static_cast<int64_t>(compared_.size());
  const std::vector<std::string> empty = this->empty();
  verdict.empty = std::ssize(empty);
  if (!empty.empty()) verdict.first_empty = empty.front();
  verdict.compared = verdict.total - verdict.empty;
  for (const std::string& name : left_) verdict.total += compared_.contains(name) ? 0 : 1;
  verdict.off = static_cast<int64_t>(off_.size());
  verdict.samples = samples_;
  verdict.excess = excess_;
  verdict.tokens = tokens_;
  if (verdict.compared == 0) return verdict;
  verdict.agreement = agreement_;
  verdict.reason = reason_;
  if (off_.empty() || off_.contains(worst_)) {
    verdict.worst = worst_;
  } else {
    verdict.worst = first_off_;
    verdict.excess.reset();
  }
  return verdict;
}

}  // namespace polygraphy
