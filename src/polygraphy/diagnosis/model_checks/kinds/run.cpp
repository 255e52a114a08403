// `--check-run onnxrt openvino`: the back ends' outputs differ, or one of them fails.
#include <atomic>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/arrays/dtype.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/comparison/compare/pairing.h"
#include "polygraphy/comparison/verdict/tally.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/diagnosis/model_checks/checked_backends.h"
#include "polygraphy/diagnosis/model_checks/model_check.h"

namespace polygraphy {
namespace {

constexpr ModelCheckOption kOptions[] = {
    {.name = "atol",
     .help = "Absolute tolerance of --check-run, for all outputs or for one: 1e-3 "
             "probabilities:1e-2. Default: 1e-5. An element within either tolerance passes.",
     .metavar = "[OUTPUT:]TOLERANCE",
     .type = ModelCheckOption::Type::kNumberPerOutput},
    {.name = "rtol",
     .help = "Relative tolerance of --check-run, likewise. Default: 1e-5.",
     .metavar = "[OUTPUT:]TOLERANCE",
     .type = ModelCheckOption::Type::kNumberPerOutput},
};

MetricOptions tolerances(const ModelCheckOptions& options) {
  MetricOptions metric;
  if (const auto* atol = options.numbers.find("atol")) metric.numbers["atol"] = *atol;
  if (const auto* rtol = options.numbers.find("rtol")) metric.numbers["rtol"] = *rtol;
  return metric;
}

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
        tolerance_(make_function(*find_metric("simple"), tolerances(options))),
        log_(log) {}

  CheckResult run(const std::string& artifact) override {
    const auto judge = [this](int64_t sample, const ValueMap&,
                              const std::vector<ValueMap>& outputs) {
      std::optional<ModelFailure> failure;
      const std::vector<ArrayMap> arrays = flattened(outputs);
      for (size_t i = 1; i < arrays.size() && !failure; ++i) failure = compare(sample, arrays, i);
      return failure;
    };
    return verdict_of(backends_.run(artifact, judge), log_);
  }

 private:
  // Empty if they have no names to compare them by.
  std::vector<ArrayMap> flattened(const std::vector<ValueMap>& outputs) {
    std::vector<ArrayMap> arrays;
    try {
      for (const ValueMap& each : outputs) arrays.push_back(flatten(each));
    } catch (const Error& error) {
      log_.warning(
          log_modules::kIterativeDebug,
          std::string(
              "The outputs of this candidate cannot be compared, and it counts as passed: ") +
              error.what());
      arrays.clear();
    }
    return arrays;
  }

  // The first back end's outputs with those of another, in the words of all comparisons.
  std::optional<ModelFailure> compare(int64_t sample, const std::vector<ArrayMap>& outputs,
                                      size_t other) {
    const std::string &name0 = backends_.names()[0], &name1 = backends_.names()[other];
    OutputPairing pairing(outputs[0], outputs[other]);
    Tally tally;
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
      OutputResult result = tolerance_->compare(pair, quiet_);
      if (!result.passed) {
        Array a = values, b = expected;
        if (const int64_t nans = equate_nans(a, b)) warn_of_nans(name, nans, values.size());
        result = tolerance_->compare({name, partner->name, name0, name1, a, b}, quiet_);
      }
      tally.compared(name, result.passed, result.excess);
      if (!result.passed && !first) first = failure_of(pair, result);
    }
    if (!first) return std::nullopt;
    Verdict verdict = tally.verdict();
    verdict.target = name1;
    verdict.reference = name0;
    verdict.measure = "simple";
    first->message = headline(verdict) + first->message + of_sample(sample);
    return first;
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
  static ModelFailure failure_of(const OutputPair& pair, const OutputResult& result) {
    std::string name(pair.name0);
    if (pair.a.shape() != pair.b.shape()) {
      return {": the shapes of '" + name + "' are " + py_tuple_repr(pair.a.shape()) + " and " +
                  py_tuple_repr(pair.b.shape()),
              "output shapes differ", false, name};
    }
    std::string figures;
    if (result.figures.size() > 1 && result.figures[0] && result.figures[1]) {
      figures = ": greatest absolute difference " + format_g(*result.figures[0], 5) +
                ", greatest relative difference " + format_g(*result.figures[1], 5) + " of '" +
                name + "'";
    }
    return {std::move(figures), "outputs differ", false, std::move(name)};
  }

  CheckedBackends backends_;
  std::unique_ptr<MetricFunction> tolerance_;
  Logger& log_;
  std::atomic<bool> has_warned_ = false;
  Logger quiet_;  // for messages of the comparison about each output
};

std::unique_ptr<Check> make_check(const ModelCheckOptions& options, const CheckTools& tools,
                                  Logger& log) {
  return std::make_unique<RunCheck>(options, tools, log);
}

}  // namespace

extern const ModelCheck model_check_run;
constinit const ModelCheck model_check_run = {
    .name = "run",
    .summary =
        "Fail an iteration if the outputs of these runtimes differ by more than --atol and --rtol, "
        "or if a runtime fails.",
    .least_backends = 2,
    .most_backends = 8,
    .options = kOptions,
    .make = make_check,
};

}  // namespace polygraphy
