#include "polygraphy/comparison/compare/validate.h"

#include <cmath>
#include <cstring>
#include <vector>

#include "base/arrays/convert.h"
#include "base/arrays/numpy_text.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/comparison/compare/statistics_log.h"
#include "polygraphy/comparison/run/runner_label.h"

namespace polygraphy {
namespace {

using log_modules::kComparator;

struct Findings {
  bool nan = false;
  bool not_finite = false;  // NaN is not finite either
};

// The real and imaginary parts of complex numbers as one array of twice as many reals.
Array parts_of(const Array& complex) {
  const Array whole = complex.contiguous_aligned();
  const DataType part =
      complex.dtype() == DataType::kComplex64 ? DataType::kFloat32 : DataType::kFloat64;
  Array parts = Array::uninitialized(part, {2 * whole.size()});
  if (whole.size() > 0)
    std::memcpy(parts.mutable_data(), whole.data(), static_cast<size_t>(whole.nbytes()));
  return parts;
}

Findings findings_of(const Statistics& statistics) {
  if (!statistics.computed || statistics.size == 0) return {};
  if (statistics.has_nan) return {.nan = true, .not_finite = true};
  return {.nan = false, .not_finite = std::isinf(statistics.min) || std::isinf(statistics.max)};
}

// The text of `-vv` for an output: the places of NaNs or non-finite values, and these values.
template <typename Predicate>
Array mask_of(const Array& output, Predicate predicate) {
  Array mask = Array::zeros(DataType::kBool, output.shape());
  for (int64_t i = 0; i < output.size(); ++i) {
    mask.mutable_data()[i] = static_cast<std::byte>(predicate(output.get_double(i)));
  }
  return mask;
}

bool is_nan(double value) {
  return std::isnan(value);
}
bool is_not_finite(double value) {
  return !std::isfinite(value);
}

Array not_finite_values(const Array& output) {
  const Array floats = convert(
      output, output.dtype() == DataType::kFloat64 ? DataType::kFloat64 : DataType::kFloat32);
  std::vector<double> values;
  for (int64_t i = 0; i < floats.size(); ++i) {
    if (is_not_finite(floats.get_double(i))) values.push_back(floats.get_double(i));
  }
  return convert(Array::of<double>({static_cast<int64_t>(values.size())}, values), output.dtype());
}

void log_nans(const Array& output, Logger& log) {
  log.error(kComparator, "NaN Detected | One or more NaNs were encountered in this output");
  log.info(kComparator,
           "Note: Use -vv or set logging verbosity to EXTRA_VERBOSE to display locations of NaNs",
           Once::kYes);
  if (!log.enabled(Severity::kExtraVerbose, kComparator)) return;
  log.extra_verbose(kComparator, "Note: NaNs at:\n" + numpy_str(mask_of(output, is_nan)));
}

void log_not_finite(const Array& output, Logger& log) {
  log.error(kComparator,
            "Inf Detected | One or more non-finite values were encountered in this output");
  log.info(kComparator,
           "Note: Use -vv or set logging verbosity to EXTRA_VERBOSE to display non-finite values",
           Once::kYes);
  if (!log.enabled(Severity::kExtraVerbose, kComparator)) return;
  log.extra_verbose(kComparator,
                    "Note: non-finite values at:\n" + numpy_str(mask_of(output, is_not_finite)));
  log.extra_verbose(kComparator,
                    "Note: non-finite values:\n" + numpy_str(not_finite_values(output)));
}

// The log ends with the first output that is not.
bool all_valid(const std::vector<IterationResult>& results, int64_t iteration, Logger& log,
               ComparisonObserver* observer) {
  const std::string context = "Iteration " + std::to_string(iteration) + " | ";
  Logger silent;
  bool all = true;
  for (const IterationResult& result : results) {
    for (const auto& [name, output] : result.outputs) {
      const bool valid =
          validate_output(result.runner_name, context, name, output, all ? log : silent);
      all &= valid;
      if (observer) observer->validated(iteration, result.runner_name, name, valid);
      if (!all && !observer) return false;
    }
  }
  return all;
}

}  // namespace

bool validate_output(std::string_view runner, std::string_view context, const std::string& name,
                     const Array& output, Logger& log, const OutputChecks& checks) {
  const auto flag = [](bool on) { return std::string(on ? "True" : "False"); };
  log.start(kComparator, runner_label(runner) + " | " + std::string(context) +
                             "Validating output: " + name + " (check_inf=" +
                             flag(checks.infinities) + ", check_nan=" + flag(checks.nans) + ")");
  Logger::Indent deeper(log);
  const bool complex = kind_of(output.dtype()) == Kind::kComplex;
  const Array numbers = complex ? parts_of(output) : output;
  const Statistics statistics = compute_statistics(numbers);
  if (!complex) log_statistics(statistics, {}, output, Severity::kVerbose, std::nullopt, log);
  const Findings findings = findings_of(statistics);
  const bool nans = checks.nans && findings.nan;
  const bool not_finite = checks.infinities && findings.not_finite;
  if (nans) log_nans(numbers, log);
  if (not_finite) log_not_finite(numbers, log);
  if (nans || not_finite) {
    log.error(kComparator, "FAILED | Errors detected in output: " + name);
    return false;
  }
  log.finish(kComparator, "PASSED | Output: " + name + " is valid");
  return true;
}

bool validate_run(const RunResults& run, Logger& log, ComparisonObserver* observer) {
  std::vector<std::string> names;
  for (const auto& [name, iterations] : run.runners) names.push_back(name);
  log.start(kComparator, "Output Validation | Runners: " + py_list_repr(names));
  Logger::Indent deeper(log);
  bool valid = true;
  for (const auto& [runner, iterations] : run.runners) {
    for (size_t i = 0; i < iterations.size(); ++i) {
      for (const auto& [name, output] : iterations[i].outputs) {
        const bool good = validate_output(runner, {}, name, output, log);
        valid &= good;
        if (observer) observer->validated(static_cast<int64_t>(i), runner, name, good);
      }
    }
  }
  if (valid) {
    log.finish(kComparator, "PASSED | Output Validation");
  } else {
    log.error(kComparator, "FAILED | Output Validation");
  }
  return valid;
}

std::unique_ptr<ResultStream> validated(std::unique_ptr<ResultStream> inner, Logger& log,
                                        ComparisonObserver* observer) {
  const auto check = [&log, observer,
                      iteration = int64_t{0}](const std::vector<IterationResult>& results) mutable {
    if (!all_valid(results, iteration, log, observer)) {
      throw Error(kInvalidOutputs,
                  "Output validation failed: iteration " + std::to_string(iteration) +
                      " contains invalid values (NaNs/Infs). See the errors above.");
    }
    ++iteration;
  };
  return edited(std::move(inner), check);
}

}  // namespace polygraphy
