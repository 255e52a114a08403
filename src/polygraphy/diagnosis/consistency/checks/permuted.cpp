// The rows of a batch in another order.
#include <fmt/format.h>

#include <numeric>

#include "polygraphy/diagnosis/consistency/consistency_check.h"

namespace polygraphy {
namespace {

void run_check(const CheckSubject& subject) {
  BatchRuns& batch = subject.batch();
  if (!batch.none().empty()) return subject.not_applicable(batch.none());
  if (batch.different() < 2) {
    return subject.not_applicable("the inputs have a single row; give more rows");
  }
  const auto compare = [&](WorstDifference& difference, ConsistencyRow&) {
    std::vector<int64_t> order(static_cast<size_t>(batch.size()));
    std::iota(order.rbegin(), order.rend(), 0);
    const ArrayMap outputs = batch.run(order);
    for (const std::string& name : batch.outputs()) {
      const Array* permuted = outputs.find(name);
      const Array in_order = *batch.together().find(name);
      if (!permuted || permuted->shape() != in_order.shape()) {
        difference.compare(name, in_order, permuted ? *permuted : Array());
        continue;
      }
      for (size_t i = 0; i < order.size(); ++i) {
        difference.compare(name, rows_of(in_order, order[i], 1),
                           rows_of(*permuted, static_cast<int64_t>(i), 1), order[i]);
      }
    }
  };
  subject.compare_rows(fmt::format("{} rows against the same in reverse", batch.size()), compare);
}

}  // namespace

extern const ConsistencyCheck consistency_check_permuted;
constinit const ConsistencyCheck consistency_check_permuted = {
    .name = "permuted",
    .summary = "the rows of a batch in another order",
    .order = 4,
    .run = run_check};

}  // namespace polygraphy
