#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/given_arguments.h"
#include "api/given_comparison.h"
#include "api/given_names.h"
#include "api/job.h"
#include "api/reporting.h"
#include "api/results.h"
#include "api/run_job.h"
#include "base/error.h"
#include "base/text.h"
#include "calls/api_functions.h"
#include "formats/record_json.h"
#include "polygraphy/comparison/compare/accuracy.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/postprocess_results.h"
#include "polygraphy/comparison/compare/validate.h"
#include "polygraphy/diagnosis/locate/noise_floor.h"

namespace native {
namespace {

using polygraphy::CompareOptions;
using polygraphy::Error;
using polygraphy::IterationResult;
using polygraphy::Metric;
using polygraphy::NoiseFloorJob;
using polygraphy::RunJob;

// null: noise alone judges.
const polygraphy::Metric* metric_with_noise(const polygraphy::CompareOptions& options) {
  if (options.metrics.size() == 1) {
    const polygraphy::Metric* metric = options.metrics.front();
    if (metric->reads_noise) return metric;
    if (metric->name == "simple") return nullptr;
  }
  throw Error("noise_floor judges in the place of other metrics than 'tokens'.",
              "Leave out metric or noise_floor.");
}

// Of `noise_floor` (a format, "auto", or None), `noise_runs`, `noise_threshold` and
// `quantization_noise`; nullopt: noise does not judge. Throws Error.
std::optional<NoiseFloorJob> given_noise(const Keywords& keywords) {
  NoiseFloorJob floor{.runs = keywords.integer("noise_runs"),
                      .threshold = to_double(keywords.get("noise_threshold")),
                      .quantization = keywords.flag("quantization_noise")};
  const auto format = keywords.optional_text("noise_floor");
  if (!format) return std::nullopt;
  if (*format != "auto") floor.format = number_format_named(*format);
  return floor;
}

// Lets noise judge the results, alone in place of the metric "simple", or with a metric that reads
// it. `factory` and `log` outlive the run. Throws Error for other metrics.
void judge_by_noise(NoiseFloorJob floor, JobRunnerFactory& factory, polygraphy::Logger& log,
                    RunJob& run) {
  floor.model = run.model;
  floor.make_feeds = run.make_feeds;
  floor.decoding = run.decoding;
  floor.runners = run.runners;
  floor.metric = metric_with_noise(run.options);
  floor.metric_options = run.options.metric_options;
  floor.cancel = run.options.cancel;
  run.options.compare_script = polygraphy::noise_floor(std::move(floor), factory, log);
}

// The results as plain data.
struct Found {
  struct Comparison {
    int64_t iteration;
    std::string output, other_output, runner0, runner1;
    polygraphy::OutputResult result;
  };
  struct Invalid {
    int64_t iteration;
    std::string runner, output;
  };
  polygraphy::Verdict verdict;
  std::string text;
  std::vector<Comparison> comparisons;
  std::vector<Invalid> invalid;
};

class Collector : public polygraphy::ComparisonObserver {
 public:
  explicit Collector(Found& found) : found_(found) {}

  void compared(const polygraphy::ComparedOutput& output) override {
    for (const polygraphy::OutputResult* result : output.results) {
      found_.comparisons.push_back({output.iteration, std::string(output.name0),
                                    std::string(output.name1), std::string(output.runner0),
                                    std::string(output.runner1), *result});
    }
  }
  void validated(int64_t iteration, std::string_view runner, std::string_view output,
                 bool valid) override {
    if (!valid) found_.invalid.push_back({iteration, std::string(runner), std::string(output)});
  }

 private:
  Found& found_;
};

PyRef figures_of(const polygraphy::OutputResult& result) {
  PyRef dict = PyRef::take(PyDict_New());
  for (const auto& [name, value] : polygraphy::known_figures(result)) {
    check(PyDict_SetItem(dict.get(), to_python(name).get(),
                         PyRef::take(PyFloat_FromDouble(value)).get()));
  }
  return dict;
}

PyRef limits_of(const Metric& metric, const polygraphy::Threshold& threshold) {
  PyRef dict = PyRef::take(PyDict_New());
  const auto names = polygraphy::split(metric.limits, ' ');
  for (size_t i = 0; i < std::min(names.size(), threshold.limits.size()); ++i) {
    check(PyDict_SetItem(dict.get(), to_python(names[i]).get(),
                         PyRef::take(PyFloat_FromDouble(threshold.limits[i].value)).get()));
  }
  return dict;
}

PyRef as_python(const Found& found) {
  PyRef comparisons = PyRef::take(PyList_New(0));
  for (const Found::Comparison& each : found.comparisons) {
    const Metric* metric = each.result.metric;
    const PyRef one = PyRef::take(Py_BuildValue(
        "(LssssNONNs)", static_cast<long long>(each.iteration), each.output.c_str(),
        each.other_output.c_str(), each.runner0.c_str(), each.runner1.c_str(),
        to_python(metric ? metric->name : std::string_view("")).release(),
        each.result.passed ? Py_True : Py_False, figures_of(each.result).release(),
        (metric ? limits_of(*metric, each.result.threshold) : PyRef::take(PyDict_New())).release(),
        each.result.threshold.error_stat.c_str()));
    check(PyList_Append(comparisons.get(), one.get()));
  }
  PyRef invalid = PyRef::take(PyList_New(0));
  for (const Found::Invalid& each : found.invalid) {
    const PyRef one = PyRef::take(Py_BuildValue("(Lss)", static_cast<long long>(each.iteration),
                                                each.runner.c_str(), each.output.c_str()));
    check(PyList_Append(invalid.get(), one.get()));
  }
  polygraphy::StringSink verdict;
  polygraphy::JsonWriter json(verdict);
  polygraphy::write_value(json, found.verdict);
  return PyRef::take(Py_BuildValue("(ONOON)", found.verdict.passed() ? Py_True : Py_False,
                                   to_python(std::string_view(found.text)).release(),
                                   comparisons.get(), invalid.get(),
                                   to_python(std::string_view(verdict.text())).release()));
}

bool validate(const IterationResult& result, size_t iteration,
              polygraphy::ComparisonObserver& observer, polygraphy::Logger& log) {
  bool valid = true;
  for (const auto& [name, output] : result.outputs) {
    const bool is_valid = polygraphy::validate_output(result.runner_name, {}, name, output, log);
    observer.validated(static_cast<int64_t>(iteration), result.runner_name, name, is_valid);
    valid &= is_valid;
  }
  return valid;
}

// Of a comparison that ended at outputs that are not valid.
polygraphy::Verdict invalid_verdict() {
  return {.agreement = polygraphy::Agreement::kFailed, .reason = "outputs have NaNs or infinities"};
}

// The numbers of runs without an iteration behind `iterations`, if others have one.
std::vector<int64_t> ended_runs(const std::vector<std::vector<IterationResult>>& runs,
                                size_t iterations) {
  std::vector<int64_t> ended;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].size() == iterations) ended.push_back(static_cast<int64_t>(i));
  }
  if (ended.size() == runs.size()) ended.clear();
  return ended;
}

// Up to the iterations that all runs have.
polygraphy::Verdict compare_runs(std::vector<std::vector<IterationResult>> runs,
                                 const CompareOptions& options, polygraphy::Logger& log) {
  polygraphy::AccuracyComparison accuracy(options, log);
  const auto edit = polygraphy::edit_of(options.postprocess);
  size_t iterations = runs.front().size();
  for (const auto& run : runs) iterations = std::min(iterations, run.size());
  bool go_on = true, valid = true;
  for (size_t i = 0; go_on && i < iterations; ++i) {
    options.cancel.check();
    std::vector<IterationResult> results;
    for (auto& run : runs) results.push_back(std::move(run[i]));
    check_output_names(options, results);
    for (IterationResult& result : results) {
      if (!options.postprocess.empty()) edit->apply(result);
      if (options.validate) valid &= validate(result, i, *options.observer, log);
    }
    if (!valid) return invalid_verdict();
    go_on = accuracy.add(results);
  }
  if (const auto ended = ended_runs(runs, iterations); go_on && !ended.empty())
    accuracy.ran_out(runs.size(), ended);
  if (go_on) accuracy.summarize();
  return accuracy.verdict();
}

CompareOptions given_options(const Keywords& keywords) {
  CompareOptions options = compare_options(keywords);
  options.scores_text = keywords.flag("scores_text");
  return options;
}

// Runs `compare` in a job whose options collect the results.
template <typename Compare>
PyRef found_by(CompareOptions& options, Compare compare) {
  return as_python(in_job([&](Job& job) {
    Found found;
    Collector collector(found);
    job.keep_text("comparator/");
    options.cancel = job.cancel();
    options.observer = &collector;
    try {
      found.verdict = compare(job);
    } catch (const polygraphy::Interrupted&) {
      throw;
    } catch (const Error&) {
      if (found.invalid.empty()) throw;  // else that is what ended the comparison
      found.verdict = invalid_verdict();
    }
    found.text = job.take_text();
    return found;
  }));
}

std::vector<std::vector<IterationResult>> runs_of(PyObject* results) {
  std::vector<std::vector<IterationResult>> runs;
  for_each(results, [&](PyObject* run) {
    auto& iterations = runs.emplace_back();
    for_each(run, [&](PyObject* item) { iterations.push_back(result_of(item)); });
  });
  return runs;
}

}  // namespace

PyObject* compare_model(PyObject*, PyObject* args) {
  return reported([&] {
    GivenRun given(args);
    given.select_outputs();
    const GivenDecoding decoding(given.keywords);
    const auto noise = given_noise(given.keywords);
    CompareOptions options = given_options(given.keywords);
    options.warm_up = given.keywords.count("warm_up");
    options.must_compare = true;
    options.on_results = [&](const std::vector<IterationResult>& results) {
      check_output_names(options, results);
    };
    return found_by(options, [&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      RunJob run = run_job(given, decoding, options, factory, job);
      if (noise) judge_by_noise(*noise, factory, job.log(), run);
      return polygraphy::run(run, factory, job.log());
    });
  });
}

PyObject* compare_results(PyObject*, PyObject* args) {
  return reported([&] {
    PyObject *given = nullptr, *results = nullptr;
    if (PyArg_ParseTuple(args, "OO", &results, &given) == 0) throw PythonError();
    const Keywords keywords(given);
    CompareOptions options = given_options(keywords);
    auto runs = runs_of(results);
    return found_by(options,
                    [&](Job& job) { return compare_runs(std::move(runs), options, job.log()); });
  });
}

PyObject* compare_results_by_noise(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args);
    const GivenDecoding decoding(given.keywords);
    const auto noise = given_noise(given.keywords);
    CompareOptions options = given_options(given.keywords);
    auto runs = runs_of(given.subject);
    return found_by(options, [&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      RunJob run = run_job(given, decoding, options, factory, job);
      if (noise) judge_by_noise(*noise, factory, job.log(), run);
      return compare_runs(std::move(runs), run.options, job.log());
    });
  });
}

}  // namespace native
