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

JudgedSample judged_sample(const std::vector<std::pair<std::string, JudgedOutput>>& judged) {
  JudgedSample sample;
  for (const auto& [name, output] : judged) add(name, output.result, sample);
  return sample;
}

Verdict verdict_of(ResultComparison& comparison, const IterationResult& reference,
                   const IterationResult& target) {
  const JudgedSample sample = judged_sample(comparison.compare(reference, target));
  return verdict_of(sample, comparison, reference, target);
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
