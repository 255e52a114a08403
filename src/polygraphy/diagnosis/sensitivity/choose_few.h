// The cheapest set of few layers that must stay in floating point: all sets are listed.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "polygraphy/diagnosis/sensitivity/choose.h"
#include "polygraphy/diagnosis/sensitivity/set_prediction.h"

namespace polygraphy {

// A run of a set.
struct Trial {
  bool passed = false;
  Differences differences = {};  // of the samples that it took
};

// As choose_kept(), where nothing kept was tried, one of `most`, and does not pass. Sets without a
// cheaper one of a smaller predicted error are bisected. Then all cheaper sets are tried, the
// smallest predicted error first, while trials improve the prediction. That ends where `most` were
// tried, or where three eighths of `most` failed in a row and `most` are not enough for the rest.
Choice choose_few(const std::vector<int64_t>& costs, SetPrediction prediction,
                  const std::function<Trial(const std::vector<bool>& kept)>& run, int64_t most);

}  // namespace polygraphy
