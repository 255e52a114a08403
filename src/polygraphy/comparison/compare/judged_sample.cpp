#include "polygraphy/comparison/compare/judged_sample.h"

#include "polygraphy/comparison/verdict/tally.h"

namespace polygraphy {

void add(const std::string& name, const OutputResult& result, JudgedSample& sample) {
  if (result.left) {
    sample.left.push_back(name);
  } else {
    const Agreement agreement = !result.passed ? result.failure
                                : result.empty ? Agreement::kNotCompared
                                               : Agreement::kAgrees;
    sample.units.push_back({name, agreement, result.excess, result.reason, result.tokens});
  }
}

JudgedSample judged_sample(const OutputResults& judged) {
  JudgedSample sample;
  for (const auto& [name, result] : judged) add(name, result, sample);
  return sample;
}

Verdict verdict_of(const JudgedSample& sample, const ResultComparison& comparison,
                   const IterationResult& reference, const IterationResult& target) {
  Tally tally;
  tally.add(sample);
  Verdict verdict = tally.verdict();
  verdict.measure = comparison.measure();
  verdict.reference = reference.runner_name;
  verdict.target = target.runner_name;
  return verdict;
}

}  // namespace polygraphy
