#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "api/agreement.h"
#include "api/given_arguments.h"
#include "api/given_names.h"
#include "api/given_prompts.h"
#include "api/job.h"
#include "api/job_report.h"
#include "api/reporting.h"
#include "api/results.h"
#include "calls/api_functions.h"
#include "polygraphy/diagnosis/locate/locate.h"
#include "polygraphy/diagnosis/locate/report/locate_json.h"
#include "polygraphy/diagnosis/locate/report/locate_text.h"

namespace native {
namespace {

using polygraphy::Error;
using polygraphy::LocateJob;
using polygraphy::LocateSide;
using polygraphy::RunnerSpec;

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
  if (name) job.format = number_format_named(*name);
}

// Without feeds.
LocateJob locate_job(const GivenRun& given) {
  const Keywords& keywords = given.keywords;
  LocateJob job{.model = given.source()};
  set_sides(given, job);
  set_format(keywords.optional_text("format"), job);
  if (!keywords.is_none("noise")) job.noise = runner_spec_of(keywords.get("noise"));
  job.noise_runs = keywords.integer("noise_runs");
  job.threshold = to_double(keywords.get("threshold"));
  job.isolate_nodes = keywords.flag("isolate_nodes");
  job.isolate_neighbours = keywords.flag("isolate_neighbours");
  job.prove = keywords.flag("prove");
  job.quantization = keywords.flag("quantization_noise");
  job.decode_step = keywords.optional_integer("decode_step");
  job.tensor_bytes = static_cast<uint64_t>(keywords.count("tensor_bytes"));
  return job;
}

}  // namespace

PyObject* locate_nodes(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args);
    LocateJob located = locate_job(given);
    PyObject* const agrees = given.keywords.get("agrees");
    const std::string output = given.keywords.text("output");
    const auto float_model = given.further_model("float_model");
    const GivenPrompts prompts(given.keywords);
    return to_python(in_job([&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      located.make_feeds = [&] { return given.feeds(job); };
      if (float_model) {
        located.reference_model = float_model->source();
        name_by_model(located.reference, located.reference_model->path);
        name_by_model(located.target, located.model.path);
      }
      if (const auto step = located.decode_step) {
        located.decoding = polygraphy::decoding_of(located.reference_model.value_or(located.model),
                                                   prompts.steps(*step), factory, job.log());
        located.make_feeds = prompts.opened(given, *located.decoding, job, *factory.tools().python);
      }
      located.cancel = job.cancel();
      if (agrees != Py_None) {
        located.remedy.emplace(polygraphy::RemedyOptions{.output = {.path = output}});
        located.remedy->check.function = agreement(job, agrees);
      }
      const polygraphy::LocateResult result = polygraphy::locate(located, factory, job.log());
      return JobReport{result.clean(), polygraphy::locate_summary(result),
                       polygraphy::locate_json(result)};
    }));
  });
}

}  // namespace native
