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
    for (const BatchAxis& output : batch.outputs()) {
      const Array* permuted = outputs.find(output.name);
      const Array& together = *batch.together().find(output.name);
      if (!permuted || permuted->shape() != together.shape()) {
        difference.compare(output.name, together, permuted ? *permuted : Array());
        continue;
      }
      const Array in_order = rows_first(together, output.axis);
      const Array reversed = rows_first(*permuted, output.axis);
      for (size_t i = 0; i < order.size(); ++i) {
        difference.compare_row(output, order[i], rows_of(in_order, order[i], 1),
                               rows_of(reversed, static_cast<int64_t>(i), 1));
      }
    }
  };
  subject.compare_rows(fmt::format("{} rows against the same in reverse", batch.size()), compare);
}

}  // namespace

extern constinit const ConsistencyCheck consistency_check_permuted = {
    .name = "permuted",
    .summary = "the rows of a batch in another order",
    .order = 4,
    .rounds = true,
    .of_batch = true,
    .run = run_check};

}  // namespace polygraphy
