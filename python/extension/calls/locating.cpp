#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "api/array_object.h"
#include "api/given_arguments.h"
#include "api/job.h"
#include "api/job_report.h"
#include "api/reporting.h"
#include "api/results.h"
#include "base/near_names.h"
#include "base/text.h"
#include "calls/api_functions.h"
#include "polygraphy/diagnosis/locate/locate.h"
#include "polygraphy/diagnosis/locate/report/locate_json.h"
#include "polygraphy/diagnosis/locate/report/locate_text.h"

namespace native {
namespace {

using polygraphy::Array;
using polygraphy::Error;
using polygraphy::LocateJob;
using polygraphy::LocateSide;
using polygraphy::NumberFormat;

LocateSide saved_side(PyObject* results) {
  std::vector<polygraphy::IterationResult> iterations;
  for_each(results, [&](PyObject* item) { iterations.push_back(result_of(item)); });
  const std::string name = iterations.empty() ? "" : iterations.front().runner_name;
  auto saved = std::make_shared<polygraphy::RunResults>();
  saved->runners.emplace_back(name, std::move(iterations));
  return polygraphy::SavedSide{.results = std::move(saved)};
}

// The reference and the target: a spec, or the results of one.
void set_sides(const GivenRun& given, LocateJob& job) {
  auto spec = given.runners.specs.begin();
  std::vector<LocateSide> sides;
  for_each(given.subject, [&](PyObject* side) {
    sides.push_back(PyUnicode_Check(side) ? LocateSide(*spec++) : saved_side(side));
  });
  job.reference = std::move(sides.at(0));
  job.target = std::move(sides.at(1));
}

// Without a name: those that the runners report.
void set_format(const std::optional<std::string>& name, LocateJob& job) {
  job.ask_format = !name;
  if (!name) return;
  const auto format = polygraphy::parse_number_format(*name);
  if (!format) {
    std::vector<std::string> names;
    for (const NumberFormat each : polygraphy::all_number_formats())
      names.emplace_back(polygraphy::name_of(each));
    throw Error("Unknown number format '" + *name + "'.",
                polygraphy::unknown_name_hint(*name, names, "Choices"));
  }
  job.format = *format;
}

// Without a model and feeds.
LocateJob locate_job(const GivenRun& given) {
  const Keywords& keywords = given.keywords;
  LocateJob job;
  set_sides(given, job);
  set_format(keywords.optional_text("format"), job);
  if (!keywords.is_none("noise")) job.noise = runner_spec_of(keywords.get("noise"));
  job.noise_runs = keywords.integer("noise_runs");
  if (job.noise_runs < 0 || job.noise_runs == 1) {
    throw Error("noise_runs was " + std::to_string(job.noise_runs) +
                    ", but a single evaluation shows no spread.",
                "Give 2 or more, or 0: noise is not measured.");
  }
  job.threshold = to_double(keywords.get("threshold"));
  if (!(job.threshold >= 1)) throw Error("A threshold below 1 is below the noise itself.");
  job.isolate_nodes = keywords.flag("isolate_nodes");
  job.isolate_neighbours = keywords.flag("isolate_neighbours");
  job.prove = keywords.flag("prove");
  const int64_t bytes = keywords.integer("tensor_bytes");
  if (bytes < 0)
    throw Error("tensor_bytes must not be negative, but was: " + std::to_string(bytes));
  job.tensor_bytes = static_cast<uint64_t>(bytes);
  return job;
}

// Asks a function of Python, which gets the output's name and both arrays.
bool agree(Job& job, PyObject* function, const std::string& output, const Array& reference,
           const Array& observed) {
  bool agrees = false;
  job.call([&] {
    const PyRef answer = PyRef::take(
        PyObject_CallFunction(function, "NNN", to_python(std::string_view(output)).release(),
                              to_python(reference).release(), to_python(observed).release()));
    const int is_true = PyObject_IsTrue(answer.get());
    check(is_true);
    agrees = is_true == 1;
  });
  return agrees;
}

// That function as a comparison of results.
class Agreeing : public polygraphy::ResultComparison {
 public:
  Agreeing(Job& job, PyObject* function) : job_(job), function_(function) {}

  std::vector<std::pair<std::string, polygraphy::JudgedOutput>> compare(
      const polygraphy::IterationResult& reference,
      const polygraphy::IterationResult& observed) override {
    std::vector<std::pair<std::string, polygraphy::JudgedOutput>> judged;
    for (const auto& [name, array] : reference.outputs) {
      const Array* other = observed.outputs.find(name);
      polygraphy::JudgedOutput output;
      output.result.passed = other && agree(job_, function_, name, array, *other);
      judged.emplace_back(name, output);
    }
    return judged;
  }
  bool averages() const override { return false; }
  polygraphy::Threshold threshold(const std::string&) override { return {}; }

 private:
  Job& job_;
  PyObject* const function_;
};

}  // namespace

PyObject* locate_nodes(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args);
    LocateJob located = locate_job(given);
    PyObject* const agrees = given.keywords.get("agrees");
    const std::string output = given.keywords.text("output");
    return to_python(in_job([&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      located.model = factory.onnx(given.source());
      located.make_feeds = [&] { return given.feeds(job); };
      located.cancel = job.cancel();
      if (agrees != Py_None) {
        located.remedy.emplace(polygraphy::RemedyOptions{.output = {.path = output}});
        located.remedy->check.function = std::make_shared<Agreeing>(job, agrees);
      }
      const polygraphy::LocateResult result = polygraphy::locate(located, factory, job.log());
      return JobReport{result.clean(), polygraphy::locate_summary(result),
                       polygraphy::locate_json(result)};
    }));
  });
}

}  // namespace native
