// A function of whole results, applied to one sample.
#pragma once

#include <string>

#include "polygraphy/comparison/compare/metric_result.h"
#include "polygraphy/comparison/compare/result_function.h"
#include "polygraphy/comparison/verdict/run_record.h"

namespace polygraphy {

// The result of an output, as verdicts count it.
void add(const std::string& name, const OutputResult& result, JudgedSample& sample);

// The function's answer likewise.
JudgedSample judged_sample(const OutputResults& judged);

// The verdict on a sample that it has judged.
Verdict verdict_of(const JudgedSample& sample, const ResultComparison& comparison,
                   const IterationResult& reference, const IterationResult& target);

}  // namespace polygraphy
