// Each row in a separate batch, and all rows together.

#include <fmt/format.h>

#include "polygraphy/diagnosis/consistency/consistency_check.h"

namespace polygraphy {
namespace {

void run_check(const CheckSubject& subject) {
  BatchRuns& batch = subject.batch();
  if (!batch.none().empty()) return subject.not_applicable(batch.none());
  if (!batch.open()) {
    return subject.not_applicable(
        fmt::format("the model supports batches of {} only", batch.size()));
  }
  const auto compare = [&](WorstDifference& difference, ConsistencyRow&) {
    for (const BatchAxis& output : batch.outputs()) {
      const Array together = rows_first(*batch.together().find(output.name), output.axis);
      for (int64_t row = 0; row < batch.size(); ++row) {
        if (const Array* alone = batch.alone(row).find(output.name))
          difference.compare_row(output, row, rows_first(*alone, output.axis),
                                 rows_of(together, row, 1));
      }
    }
  };
  subject.compare_rows(fmt::format("batches of 1 against a batch of {}", batch.size()), compare);
}

}  // namespace

extern constinit const ConsistencyCheck consistency_check_batch = {
    .name = "batch",
    .summary = "a batch of one row against a larger one",
    .order = 3,
    .rounds = true,
    .of_batch = true,
    .run = run_check};

}  // namespace polygraphy
