// Which of several things a failure needs.
#pragma once

#include <functional>
#include <numeric>

#include "polygraphy/reduce/search/delta_debugging.h"

namespace polygraphy {

// Of `count` things: those that have to stay, so that none of them can go alone. `fails` says
// whether what is left still fails without all others; it is asked for an empty part, too, first of
// all: one question where nothing is needed.
inline Part needed_of(size_t count, const std::function<bool(const Part&)>& fails) {
  Part all(count);
  std::iota(all.begin(), all.end(), size_t{0});
  if (count == 0 || fails({})) return {};
  return smallest_failing_part(all, fails);
}

}  // namespace polygraphy
