#include "polygraphy/comparison/compare/accuracy/accuracy_document.h"

#include "formats/record_json.h"

namespace polygraphy {

std::string accuracy_json(const AccuracyResults& results) {
  AccuracyDocument document{.verdict = results.verdict(), .comparisons = {}};
  for (const AccuracyResult& comparison : results.comparisons) {
    for (const JudgedPair& pair : comparison.pairs) {
      JudgedComparison& to = document.comparisons.emplace_back();
      to = {.runner0 = pair.runner0,
            .runner1 = pair.runner1,
            .average = comparison.average,
            .outputs = {}};
      int64_t iteration = 0;
      for (const JudgedIteration& outputs : pair.iterations) {
        for (const auto& [name, result] : outputs) to.outputs.push_back({name, iteration, result});
        ++iteration;
      }
    }
  }
  return record_json(document);
}

}  // namespace polygraphy
