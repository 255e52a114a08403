// Names of runners that meet in one comparison. Runs that begin in the same second give their
// runners the same names, and messages on runners and pairs need different ones.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "polygraphy/comparison/run/result_stream.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

class DistinctNames {
 public:
  // The name as it is, with " (2)" behind it if it was taken already, and so on.
  std::string take(const std::string& name);
  // All names are free again.
  void clear() { taken_.clear(); }

 private:
  std::set<std::string> taken_;
};

// Results under names that no other stream with the same `names` has; for each iteration, clear
// `names`, and read the streams in the same order.
std::unique_ptr<ResultStream> distinctly_named(std::unique_ptr<ResultStream> inner,
                                               std::shared_ptr<DistinctNames> names);
// The same for results in memory.
void name_distinctly(std::vector<RunResults>& runs);

}  // namespace polygraphy
