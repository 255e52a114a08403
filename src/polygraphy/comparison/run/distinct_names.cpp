#include "polygraphy/comparison/run/distinct_names.h"

#include <utility>

namespace polygraphy {
std::string DistinctNames::take(const std::string& name) {
  std::string distinct = name;
  for (int i = 2; !taken_.insert(distinct).second; ++i)
    distinct = name + " (" + std::to_string(i) + ")";
  return distinct;
}

std::unique_ptr<ResultStream> distinctly_named(std::unique_ptr<ResultStream> inner,
                                               std::shared_ptr<DistinctNames> names) {
  return edited(std::move(inner),
                [names = std::move(names)](std::vector<IterationResult>& results) {
                  for (IterationResult& result : results)
                    result.runner_name = names->take(result.runner_name);
                });
}

void name_distinctly(std::vector<RunResults>& runs) {
  DistinctNames names;
  for (RunResults& run : runs) {
    for (auto& [name, iterations] : run.runners) {
      name = names.take(name);
      for (IterationResult& result : iterations) result.runner_name = name;
    }
  }
}

}  // namespace polygraphy
