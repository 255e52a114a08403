#include "polygraphy/comparison/compare/comparison_function.h"

#include <fmt/format.h>

#include <utility>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/pairs/pairing.h"
#include "polygraphy/comparison/compare/pairs/unpaired_outputs.h"

namespace polygraphy {
namespace {

using log_modules::kComparator;
using log_modules::kCompare;

// The outputs of a result, with an array that may be read on demand.
ArrayMap with_array(const IterationResult& result, std::string_view name) {
  ArrayMap outputs = result.outputs;
  for (size_t i = 0; i < outputs.size() && result.read; ++i) {
    if (outputs.at_index(i).first == name) outputs.set(std::string(name), result.read(i));
  }
  return outputs;
}

class OfMetric : public ComparisonFunction {
 public:
  // `wanted_sums`: of all metrics.
  OfMetric(const Metric& metric, const CompareOptions& options, unsigned wanted_sums, Logger& log)
      : metric_(metric),
        function_(make_function(metric, options.metric_options)),
        wanted_sums_(wanted_sums),
        is_first_(&metric == options.metrics.front()),
        fail_fast_(options.fail_fast),
        log_(log) {
    function_->require();
  }

  OutputResults compare(const IterationResult& result0, const IterationResult& result1,
                        std::vector<ComparedPair>& pairs) override {
    function_->begin(with_array(result0, metric_.reads_first),
                     with_array(result1, metric_.reads_first), log_);
    PairBatches batches(metric_, *function_, result0, result1, wanted_sums_, log_);
    OutputResults outputs;
    std::vector<std::string> judged, mismatched;
    while (auto result = batches.next(pairs)) {
      ComparedPair& pair = pairs[outputs.size()];
      outputs.emplace_back(pair.name0, std::move(*result));
      if (outputs.back().second.left) continue;
      judged.emplace_back(pair.name0);
      if (outputs.back().second.passed) continue;
      pair.hides_elements = !metric_.of_elements && (!pair.failed || pair.hides_elements);
      pair.failed = true;
      if (fail_fast_) return outputs;
      mismatched.push_back(judged.back());
    }

    for (std::string& name : unpaired_items(result0, result1, pairs, is_first_, log_)) {
      outputs.emplace_back(name, OutputResult{.metric = &metric_});
      mismatched.push_back(std::move(name));
    }
    if (!mismatched.empty() && fail_fast_) return outputs;
    if (mismatched.empty()) {
      log_.finish(kCompare, fmt::format("PASSED | {} | All outputs matched | Outputs: {}",
                                        metric_.label, py_list_repr(judged)));
    } else {
      log_.error(kCompare, fmt::format("FAILED | {} | Mismatched outputs: {}", metric_.label,
                                       py_list_repr(mismatched)));
    }
    if (judged.empty() && !outputs.empty()) refuse_unjudged(metric_.name, result0);
    if (outputs.empty()) require_common_outputs(result0, result1);
    return outputs;
  }

  Threshold threshold(const std::string& output) const override {
    return function_->threshold(output);
  }

 private:
  const Metric& metric_;
  const std::unique_ptr<MetricFunction> function_;
  const unsigned wanted_sums_;
  const bool is_first_, fail_fast_;
  Logger& log_;
};

// It judges whole results and says nothing itself: outputs that it does not mention have passed.
class OfScript : public ComparisonFunction {
 public:
  OfScript(ResultComparison& script, Logger& log) : script_(script), log_(log) {}

  OutputResults compare(const IterationResult& result0, const IterationResult& result1,
                        std::vector<ComparedPair>& pairs) override {
    OutputResults outputs = script_.compare(result0, result1);
    if (outputs.empty()) {
      log_.warning(kComparator,
                   "The comparison function compared no output: the accuracy was not verified.");
    }
    OutputPairing pairing(result0.outputs, result1.outputs);
    for (auto& [name, result] : outputs) {
      for (size_t i = 0; i < result0.outputs.size(); ++i) {
        const auto& [name0, array] = result0.outputs.at_index(i);
        if (name0 != name) continue;
        const auto partner = pairing.partner(i, result1.runner_name, log_);
        if (!partner) break;
        pairs.push_back({name0, partner->name, i, partner->place, !result.passed});
        result.empty =
            array.size() == 0 && result1.outputs.at_index(partner->place).second.size() == 0;
      }
    }
    return outputs;
  }

  Threshold threshold(const std::string& output) const override {
    return script_.threshold(output);
  }

 private:
  ResultComparison& script_;
  Logger& log_;
};

}  // namespace

std::vector<std::unique_ptr<ComparisonFunction>> comparison_functions(const CompareOptions& options,
                                                                      Logger& log) {
  std::vector<std::unique_ptr<ComparisonFunction>> functions;
  if (options.compare_script) {
    functions.push_back(std::make_unique<OfScript>(*options.compare_script, log));
    return functions;
  }
  unsigned sums = 0;
  for (const Metric* metric : options.metrics) sums |= metric->sums;
  for (const Metric* metric : options.metrics)
    functions.push_back(std::make_unique<OfMetric>(*metric, options, sums, log));
  return functions;
}

}  // namespace polygraphy
