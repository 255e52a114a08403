// Answers the questions of a search, several at a time, and counts the turns that this takes.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "polygraphy/diagnosis/search/ddmin.h"

namespace polygraphy {

inline std::function<bool(const Part&)> needs(const Part& culprits) {
  return [culprits](const Part& part) {
    return std::includes(part.begin(), part.end(), culprits.begin(), culprits.end());
  };
}

struct Turns {
  Turns(size_t slots, std::function<bool(const Part&)> fails)
      : slots_(slots), fails_(std::move(fails)) {}

  PartTest test() {
    return [this](const Part& part, const Upcoming<Part>& next) {
      ++asked;
      const auto known = ahead_.find(part);
      if (known != ahead_.end()) return known->second;
      ++taken;
      ahead_.clear();
      while (ahead_.size() + 1 < slots_) {
        const auto upcoming = take_next(next);
        if (!upcoming) break;
        ahead_[*upcoming] = fails_(*upcoming);
      }
      return fails_(part);
    };
  }

  size_t asked = 0, taken = 0;

 private:
  size_t slots_;
  std::function<bool(const Part&)> fails_;
  std::map<Part, bool> ahead_;
};

}  // namespace polygraphy
