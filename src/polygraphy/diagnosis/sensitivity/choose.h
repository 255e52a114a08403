// A cheap set of layers that must stay in floating point.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace polygraphy {

struct Choice {
  std::vector<bool> kept;
  bool cheapest = false;  // every cheaper set was tried
  int64_t tried = 0;
};

// `costs`: of keeping each layer, at least 0; `effects`: the error of each quantised alone;
// `passes`: whether the error is accepted with these kept, which must be true for all of them. A
// first set is the layers with the largest effects for their costs, as many as it takes, without
// those that it does not need. Then cheaper sets are tried until `most` sets were: the likeliest
// first, whose squares of effects have the smallest sum; of more than 16 layers, only where `most`
// are enough for all cheaper sets. Sets of equal costs count as equally cheap.
Choice choose_kept(const std::vector<int64_t>& costs, const std::vector<double>& effects,
                   const std::function<bool(const std::vector<bool>& kept)>& passes, int64_t most);

}  // namespace polygraphy
