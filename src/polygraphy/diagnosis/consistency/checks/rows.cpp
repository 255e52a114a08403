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
    for (const std::string& name : batch.outputs()) {
      const Array* output = outputs.find(name);
      const Array& together = *batch.together().find(name);
      if (!output || output->shape() != together.shape()) {
        difference.compare(name, together, output ? *output : Array());
        continue;
      }
      for (int64_t row = 1; row < output->shape()[0]; ++row)
        difference.compare(name, rows_of(*output, 0, 1), rows_of(*output, row, 1), row);
    }
  };
  subject.compare_rows(fmt::format("row 0 of {} identical ones against the others", batch.size()),
                       compare);
}

}  // namespace

extern const ConsistencyCheck consistency_check_rows;
constinit const ConsistencyCheck consistency_check_rows = {
    .name = "rows", .summary = "identical rows of a batch", .order = 2, .run = run_check};

}  // namespace polygraphy
