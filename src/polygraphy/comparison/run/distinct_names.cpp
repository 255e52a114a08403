#include "polygraphy/comparison/run/distinct_names.h"

#include <utility>

namespace polygraphy {
namespace {

class DistinctlyNamed : public ResultStream {
 public:
  DistinctlyNamed(std::unique_ptr<ResultStream> inner, std::shared_ptr<DistinctNames> names)
      : inner_(std::move(inner)), names_(std::move(names)) {}

  std::optional<std::vector<IterationResult>> next() override {
    auto results = inner_->next();
    if (!results) return results;
    for (IterationResult& result : *results) result.runner_name = names_->take(result.runner_name);
    return results;
  }
  void close() override { inner_->close(); }
  void abandon() noexcept override { inner_->abandon(); }

 private:
  std::unique_ptr<ResultStream> inner_;
  std::shared_ptr<DistinctNames> names_;
};

}  // namespace

std::string DistinctNames::take(const std::string& name) {
  std::string distinct = name;
  for (int i = 2; !taken_.insert(distinct).second; ++i)
    distinct = name + " (" + std::to_string(i) + ")";
  return distinct;
}

std::unique_ptr<ResultStream> distinctly_named(std::unique_ptr<ResultStream> inner,
                                               std::shared_ptr<DistinctNames> names) {
  return std::make_unique<DistinctlyNamed>(std::move(inner), std::move(names));
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
