#include <vector>

#include "api/api_functions.h"
#include "api/given_options.h"
#include "api/given_runners.h"
#include "api/job.h"
#include "api/model_object.h"
#include "api/reporting.h"
#include "api/results.h"
#include "polygraphy/comparison/compare/run_and_compare.h"

namespace native {

PyObject* run_model(PyObject*, PyObject* args) {
  return reported([&] {
    PyObject *model = nullptr, *backends = nullptr, *options = nullptr, *data = nullptr,
             *places = nullptr;
    if (PyArg_ParseTuple(args, "OOOOO", &model, &backends, &options, &data, &places) == 0) {
      throw PythonError();
    }
    const Keywords keywords(options);
    const GivenInputs inputs{Keywords(data)};
    const RunnerOptions runners(backends, keywords, Keywords(places));
    GivenSource given(model);
    given.source().outputs = keywords.texts("outputs");
    given.source().exclude_outputs = keywords.texts("exclude_outputs");
    polygraphy::CompareOptions run;
    run.warm_up = keywords.integer("warm_up");
    const auto results = in_job([&](Job& job) {
      std::vector<polygraphy::IterationResult> kept;
      JobRunnerFactory factory(runners.tools, job);
      const auto made = factory.make_all(runners.specs, given.source(), job.log());
      run.cancel = job.cancel();
      run.on_results = [&](const std::vector<polygraphy::IterationResult>& of_iteration) {
        kept.insert(kept.end(), of_iteration.begin(), of_iteration.end());
      };
      const auto feeds = inputs.open(job, given.source());
      polygraphy::run_and_compare(made, *feeds, run, job.log());
      return kept;
    });
    PyRef list = PyRef::take(PyList_New(0));
    for (const auto& result : results) check(PyList_Append(list.get(), to_python(result).get()));
    return list;
  });
}

}  // namespace native
