// A function of whole results, applied to one sample.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "polygraphy/comparison/compare/metric_result.h"
#include "polygraphy/comparison/compare/result_function.h"
#include "polygraphy/comparison/verdict/run_record.h"

namespace polygraphy {

// The result of an output, as verdicts count it.
void add(const std::string& name, const OutputResult& result, JudgedSample& sample);

// The function's answer likewise.
JudgedSample judged_sample(const std::vector<std::pair<std::string, JudgedOutput>>& judged);

// The verdict on a sample that it has judged.
Verdict verdict_of(const JudgedSample& sample, const ResultComparison& comparison,
                   const IterationResult& reference, const IterationResult& target);
// The verdict on this sample alone. Throws what the function throws.
Verdict verdict_of(ResultComparison& comparison, const IterationResult& reference,
                   const IterationResult& target);

}  // namespace polygraphy
