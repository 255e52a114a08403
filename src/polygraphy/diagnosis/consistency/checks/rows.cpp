// A batch of which all rows are the same: all rows of the outputs have to be.
#include <fmt/format.h>

#include "polygraphy/diagnosis/consistency/consistency_check.h"

namespace polygraphy {
namespace {

void run_check(const CheckSubject& subject) {
  BatchRuns& batch = subject.batch();
  if (!batch.none().empty()) return subject.not_applicable(batch.none());
  const auto compare = [&](WorstDifference& difference, ConsistencyRow&) {
    const std::vector<int64_t> same(static_cast<size_t>(batch.size()), 0);
    const ArrayMap outputs = batch.run(same);
    for (const BatchAxis& output : batch.outputs()) {
      const Array* repeated = outputs.find(output.name);
      const Array& together = *batch.together().find(output.name);
      if (!repeated || repeated->shape() != together.shape()) {
        difference.compare(output.name, together, repeated ? *repeated : Array());
        continue;
      }
      const Array rows = rows_first(*repeated, output.axis);
      for (int64_t row = 1; row < batch.size(); ++row)
        difference.compare_row(output, row, rows_of(rows, 0, 1), rows_of(rows, row, 1));
    }
  };
  subject.compare_rows(fmt::format("row 0 of {} identical ones against the others", batch.size()),
                       compare);
}

}  // namespace

extern constinit const ConsistencyCheck consistency_check_rows = {
    .name = "rows",
    .summary = "identical rows of a batch",
    .order = 2,
    .rounds = true,
    .of_batch = true,
    .run = run_check};

}  // namespace polygraphy
