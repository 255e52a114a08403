// `--check-run onnxrt openvino`: the back ends' outputs differ, or one of them fails.
#include <atomic>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/arrays/dtype.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/comparison/compare/judged_sample.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/pairs/pairing.h"
#include "polygraphy/comparison/task_metrics/labels.h"
#include "polygraphy/comparison/verdict/tally.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/diagnosis/model_checks/checked_backends.h"
#include "polygraphy/diagnosis/model_checks/model_check.h"

namespace polygraphy {
namespace {

constexpr std::string_view kSimple = "simple";

std::string of_sample(int64_t sample) {
  return " (sample " + std::to_string(sample) + ")";
}

// Elements that are NaN on both sides become 0 there: the back ends do not differ in them. Returns
// how many.
int64_t equate_nans(Array& a, Array& b) {
  if (!is_floating(a.dtype()) || a.dtype() != b.dtype() || a.shape() != b.shape()) return 0;
  const auto width = static_cast<size_t>(bit_width(a.dtype()) / 8);
  if (width == 0) return 0;  // no format of four bits has NaNs
  int64_t found = 0;
  Array changed_a = a.clone(), changed_b = b.clone();
  for (int64_t i = 0; i < a.size(); ++i) {
    if (!std::isnan(a.get_double(i)) || !std::isnan(b.get_double(i))) continue;
    ++found;
    for (Array* changed : {&changed_a, &changed_b})
      std::memset(changed->mutable_data() + static_cast<size_t>(i) * width, 0, width);
  }
  a = std::move(changed_a);
  b = std::move(changed_b);
  return found;
}

class RunCheck : public Check {
 public:
  RunCheck(const ModelCheckOptions& options, const CheckTools& tools, Logger& log)
      : backends_(options, tools, log),
        check_(with_usual_metric(options.outputs)),
        measure_(OutputJudge(check_, {}, {}).measure()),
        log_(log) {
    for (const Metric* metric : check_.metrics)
      functions_.push_back(make_function(*metric, check_.metric_options));
  }

  CheckResult run(const std::string& artifact) override {
    return check_.task_metric ? by_task_metric(artifact) : by_outputs(artifact);
  }

 private:
  static OutputCheck with_usual_metric(OutputCheck check) {
    if (!check.task_metric && check.metrics.empty()) check.metrics = {find_metric(kSimple)};
    return check;
  }

  CheckResult by_outputs(const std::string& artifact) {
    const auto judge = [this](int64_t sample, const ValueMap&,
                              const std::vector<ValueMap>& outputs) {
      std::optional<ModelFailure> failure;
      const std::vector<ArrayMap> arrays = flattened(outputs);
      for (size_t i = 1; i < arrays.size() && !failure; ++i) failure = compare(sample, arrays, i);
      return failure;
    };
    return verdict_of(backends_.run(artifact, judge), log_);
  }

  // Over all samples. A candidate without the output that the metric judges passes.
  CheckResult by_task_metric(const std::string& artifact) {
    std::vector<std::unique_ptr<OutputJudge>> judges;
    for (size_t i = 1; i < backends_.names().size(); ++i)
      judges.push_back(
          std::make_unique<OutputJudge>(check_, backends_.names()[0], backends_.names()[i]));
    bool judged = true;
    const auto judge = [&](int64_t, const ValueMap& feed, const std::vector<ValueMap>& outputs) {
      const std::vector<ArrayMap> arrays = flattened(outputs);
      judged &= !arrays.empty();
      if (!judged) return std::optional<ModelFailure>();
      try {
        for (size_t i = 1; i < arrays.size(); ++i) judges[i - 1]->add(feed, arrays[0], arrays[i]);
      } catch (const Error& error) {
        // A mistake of the request, not of a candidate.
        if (error.code() == kOtherNumberOfLabels) throw;
        warn_of_skipped(error);
        judged = false;
      }
      return std::optional<ModelFailure>();
    };
    std::optional<ModelFailure> failure = backends_.run(artifact, judge);
    for (size_t i = 0; judged && !failure && i < judges.size(); ++i) {
      const Verdict verdict = judges[i]->verdict();
      // Labels that do not fit the number of samples.
      if (verdict.agreement == Agreement::kFailed) throw Error(headline(verdict));
      if (verdict.failed())
        failure = ModelFailure{headline(verdict), "the task suffers", false, {}};
    }
    return verdict_of(failure, log_);
  }

  void warn_of_skipped(const Error& error) const {
    log_.warning(log_modules::kIterativeDebug,
                 std::string("The outputs of this candidate cannot be compared, and it counts as "
                             "passed: ") +
                     error.what());
  }

  // Empty if they have no names to compare them by.
  std::vector<ArrayMap> flattened(const std::vector<ValueMap>& outputs) {
    std::vector<ArrayMap> arrays;
    try {
      for (const ValueMap& each : outputs) arrays.push_back(flatten(each));
    } catch (const Error& error) {
      warn_of_skipped(error);
      arrays.clear();
    }
    return arrays;
  }

  // The first back end's outputs with those of another, in the words of all comparisons.
  std::optional<ModelFailure> compare(int64_t sample, const std::vector<ArrayMap>& outputs,
                                      size_t other) {
    const std::string &name0 = backends_.names()[0], &name1 = backends_.names()[other];
    for (const auto& function : functions_) function->begin(outputs[0], outputs[other], quiet_);
    OutputPairing pairing(outputs[0], outputs[other]);
    JudgedSample judged;
    std::optional<ModelFailure> first;
    for (size_t i = 0; const auto& [name, values] : outputs[0]) {
      const auto partner = pairing.partner(i++, name1, quiet_);
      if (!partner && first) break;
      if (!partner) {
        return ModelFailure{
            name1 + " has no output '" + name + "', but " + name0 + " has" + of_sample(sample),
            "an output is missing"};
      }
      const Array& expected = *outputs[other].find(std::string(partner->name));
      const OutputPair pair{name, partner->name, name0, name1, values, expected};
      for (size_t k = 0; k < functions_.size(); ++k) {
        const OutputResult result = apply(*functions_[k], pair);
        add(name, result, judged);
        if (!result.passed && !first) first = failure_of(*check_.metrics[k], pair, result);
      }
    }
    if (judged.units.empty() && !judged.left.empty()) {
      log_.warning(log_modules::kIterativeDebug, "No output of this candidate is judged by " +
                                                     measure_ + ", and it counts as passed.");
    }
    if (!first) return std::nullopt;
    Tally tally;
    tally.add(judged);
    Verdict verdict = tally.verdict();
    verdict.target = name1;
    verdict.reference = name0;
    verdict.measure = measure_;
    first->message = headline(verdict) + first->message + of_sample(sample);
    return first;
  }

  OutputResult apply(MetricFunction& function, const OutputPair& pair) {
    OutputResult result = function.compare(pair, quiet_);
    if (result.passed) return result;
    Array a = pair.a, b = pair.b;
    const int64_t nans = equate_nans(a, b);
    if (nans == 0) return result;
    warn_of_nans(std::string(pair.name0), nans, pair.a.size());
    return function.compare({pair.name0, pair.name1, pair.runner0, pair.runner1, a, b}, quiet_);
  }

  // Once: a comparison of `run` fails for such elements.
  void warn_of_nans(const std::string& output, int64_t nans, int64_t elements) {
    if (has_warned_.exchange(true)) return;
    log_.warning(log_modules::kIterativeDebug,
                 "Output '" + output + "' is NaN on both sides in " + std::to_string(nans) +
                     " of " + std::to_string(elements) +
                     " elements. The check counts them as equal; a comparison of two runs does "
                     "not.\nThe check for NaNs finds the node that produces them.");
  }

  // Of the first output that differs.
  static ModelFailure failure_of(const Metric& metric, const OutputPair& pair,
                                 const OutputResult& result) {
    std::string name(pair.name0);
    if (pair.a.shape() != pair.b.shape()) {
      return {": the shapes of '" + name + "' are " + py_tuple_repr(pair.a.shape()) + " and " +
                  py_tuple_repr(pair.b.shape()),
              "output shapes differ", false, name};
    }
    std::string figures;
    if (metric.name == kSimple && result.figures.size() > 1 && result.figures[0] &&
        result.figures[1]) {
      figures = ": greatest absolute difference " + format_g(*result.figures[0], 5) +
                ", greatest relative difference " + format_g(*result.figures[1], 5) + " of '" +
                name + "'";
    }
    return {std::move(figures), "outputs differ", false, std::move(name)};
  }

  CheckedBackends backends_;
  const OutputCheck check_;
  const std::string measure_;
  std::vector<std::unique_ptr<MetricFunction>> functions_;  // as check_.metrics
  Logger& log_;
  std::atomic<bool> has_warned_ = false;
  Logger quiet_;  // for messages of the comparison about each output
};

std::unique_ptr<Check> make_check(const ModelCheckOptions& options, const CheckTools& tools,
                                  Logger& log) {
  return std::make_unique<RunCheck>(options, tools, log);
}

}  // namespace

extern constinit const ModelCheck model_check_run = {
    .name = "run",
    .summary =
        "Fail an iteration if the outputs of these runtimes differ, as `run` compares them, or if "
        "a runtime fails.",
    .least_backends = 2,
    .most_backends = 8,
    .compares_outputs = true,
    .make = make_check,
};

}  // namespace polygraphy
