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

// Feeds of a step: the reference makes the cache.
void use_step(int64_t step, const GivenRun& given, const GivenPrompts& prompts,
              JobRunnerFactory& factory, Job& job, LocateJob& located) {
  const auto* reference = std::get_if<RunnerSpec>(&located.reference);
  if (!reference)
    throw Error("A step needs a runner as the reference, to make the cache, but it has results.");
  const polygraphy::ModelSource model = located.reference_model.value_or(located.model);
  const auto decoding = polygraphy::decoding_of(model, prompts.steps(step), job.log());
  const auto open = prompts.opened(given, *decoding, job, *factory.tools().python);
  RunnerSpec maker = *reference;
  maker.name += " (prompt)";
  located.make_feeds = [=, &factory, &job] {
    return polygraphy::step_feeds(decoding, step, factory.make(maker, model, job.log()), open());
  };
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
  job.quantization = keywords.flag("quantization_noise");
  const int64_t bytes = keywords.integer("tensor_bytes");
  if (bytes < 0)
    throw Error("tensor_bytes must not be negative, but was: " + std::to_string(bytes));
  job.tensor_bytes = static_cast<uint64_t>(bytes);
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
    const auto step = given.keywords.optional_integer("decode_step");
    return to_python(in_job([&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      located.model = factory.onnx(given.source());
      located.make_feeds = [&] { return given.feeds(job); };
      if (float_model) {
        located.reference_model = factory.onnx(float_model->source());
        name_by_model(located.reference, located.reference_model->path);
        name_by_model(located.target, located.model.path);
      }
      located.decode_step = step;
      if (step) use_step(*step, given, prompts, factory, job, located);
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
