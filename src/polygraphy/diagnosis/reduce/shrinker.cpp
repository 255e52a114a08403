#include "polygraphy/diagnosis/reduce/shrinker.h"

#include <algorithm>

namespace polygraphy {

std::vector<const Shrinker*> ordered_shrinkers() {
  std::vector<const Shrinker*> result(shrinkers().begin(), shrinkers().end());
  std::stable_sort(result.begin(), result.end(),
                   [](const Shrinker* a, const Shrinker* b) { return a->order < b->order; });
  return result;
}

}  // namespace polygraphy
