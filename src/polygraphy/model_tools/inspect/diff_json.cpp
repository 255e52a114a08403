#include "polygraphy/model_tools/inspect/diff_json.h"

#include "formats/record_json.h"

namespace polygraphy {

Verdict DiffDocument::answer() const {
  return {.agreement = report->equal() ? Agreement::kAgrees : Agreement::kDiffers,
          .target = after,
          .reference = before,
          .unit = "model",
          .total = 1,
          .compared = 1,
          .off = report->equal() ? 0 : 1};
}

std::string diff_json(const graphsurgeon::DiffReport& report, const std::string& before,
                      const std::string& after) {
  return record_json(DiffDocument{before, after, &report});
}

}  // namespace polygraphy
