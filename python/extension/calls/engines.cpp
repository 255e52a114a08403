#include <string>

#include "api/given_engine.h"
#include "api/job_report.h"
#include "api/reporting.h"
#include "calls/api_functions.h"
#include "formats/record_json.h"
#include "polygraphy/runtimes/compiled/capability_text.h"

namespace native {
PyObject* build_engine(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args);
    const std::string path = given.keywords.text("path");
    do_in_job([&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      polygraphy::build_engine(engine_job(given, factory, job), path, job.log());
    });
    return none();
  });
}

PyObject* find_capability(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args);
    return to_python(in_job([&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      const polygraphy::Capability found =
          polygraphy::find_capability(engine_job(given, factory, job), job.log());
      return JobReport{found.supported, found.supported ? "" : polygraphy::capability_text(found),
                       polygraphy::record_json(found)};
    }));
  });
}

}  // namespace native
