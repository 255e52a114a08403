#include <vector>

#include "api/given_arguments.h"
#include "api/job.h"
#include "api/reporting.h"
#include "api/results.h"
#include "api/run_job.h"
#include "calls/api_functions.h"

namespace native {

PyObject* run_model(PyObject*, PyObject* args) {
  return reported([&] {
    GivenRun given(args);
    given.select_outputs();
    const GivenDecoding decoding(given.keywords);
    polygraphy::CompareOptions options;
    options.warm_up = given.keywords.count("warm_up");
    const auto results = in_job([&](Job& job) {
      std::vector<polygraphy::IterationResult> kept;
      JobRunnerFactory factory(given.runners.tools, job);
      polygraphy::RunJob run = run_job(given, decoding, options, factory, job);
      run.options.on_results = [&](const std::vector<polygraphy::IterationResult>& of_iteration) {
        kept.insert(kept.end(), of_iteration.begin(), of_iteration.end());
      };
      polygraphy::run(run, factory, job.log());
      return kept;
    });
    PyRef list = PyRef::take(PyList_New(0));
    for (const auto& result : results) check(PyList_Append(list.get(), to_python(result).get()));
    return list;
  });
}

}  // namespace native
