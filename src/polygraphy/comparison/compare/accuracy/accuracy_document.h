// Judged results of comparisons for programs: `check accuracy --json`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/record.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_results.h"
#include "polygraphy/comparison/compare/function_result.h"

namespace polygraphy {

struct JudgedOutput {
  std::string output;
  int64_t iteration = 0;
  OutputResult result;
};

constexpr auto record_of(RecordOf<JudgedOutput>) {
  return record<JudgedOutput>(
      "JudgedOutput", "An output of an iteration.",
      member("output", &JudgedOutput::output, "Its name."),
      count("iteration", &JudgedOutput::iteration, "From 0."),
      member("result", &JudgedOutput::result, "Of the comparison function."));
}

struct JudgedComparison {
  std::string runner0, runner1;
  bool average = false;
  std::vector<JudgedOutput> outputs;
};

constexpr auto record_of(RecordOf<JudgedComparison>) {
  return record<JudgedComparison>(
      "JudgedComparison", "The results of a comparison function for two runners.",
      member("runner0", &JudgedComparison::runner0, "The name of a runner."),
      member("runner1", &JudgedComparison::runner1, "The name of the other one."),
      member("average", &JudgedComparison::average,
             "Whether the means over the iterations decide."),
      member("outputs", &JudgedComparison::outputs, "Of each iteration."));
}

struct AccuracyDocument {
  Verdict verdict;
  std::vector<JudgedComparison> comparisons;
};

constexpr auto record_of(RecordOf<AccuracyDocument>) {
  return record<AccuracyDocument>("AccuracyReport", "Saved results of comparisons, judged again.",
                                  member("verdict", &AccuracyDocument::verdict, "Of all of them."),
                                  member("comparisons", &AccuracyDocument::comparisons,
                                         "Of each function and pair of runners."));
}

// O(results).
std::string accuracy_json(const AccuracyResults& results);

}  // namespace polygraphy
