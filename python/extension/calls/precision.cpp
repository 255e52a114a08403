#include "polygraphy/diagnosis/precision/find_precision.h"

#include <functional>
#include <memory>
#include <string>

#include "api/given_check.h"
#include "api/given_engine.h"
#include "api/job_report.h"
#include "api/reporting.h"
#include "api/tensor_values.h"
#include "base/log_modules.h"
#include "base/os/scratch_folder.h"
#include "calls/api_functions.h"
#include "formats/record_json.h"

namespace native {
namespace {

using polygraphy::PrecisionJob;
using polygraphy::PrecisionMode;
using polygraphy::PrecisionResult;

// Without an engine, its file and a check.
PrecisionJob precision_job(const Keywords& keywords) {
  PrecisionJob job{.mode = polygraphy::parse_word<PrecisionMode>(keywords.text("mode")),
                   .reverse = keywords.flag("reverse")};
  if (keywords.text("precision") == "float16") job.precision = polygraphy::DataType::kFloat16;
  job.output.path = keywords.text("output");
  job.loop.load_replay = keywords.text("load_replay");
  job.loop.save_replay = keywords.text("save_replay");
  return job;
}

// For a check: the path of the engine.
std::function<PyRef()> path_of(const std::string& file) {
  return [file] { return text(file); };
}

}  // namespace

PyObject* find_precision(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args, GivenRun::RunnersInOptions());
    const GivenCheck check(given.subject, given.keywords);
    if (given.source().format == "engine") {
      throw polygraphy::Error(
          "Layers of an engine cannot be changed, and neither can their precisions: " +
              given.source().path,
          "Give the ONNX model of the engine.");
    }
    PrecisionJob search = precision_job(given.keywords);
    return to_python(in_job([&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      job.keep_text(polygraphy::log_modules::kDebugPrecision);
      const polygraphy::ScratchFolder folder(polygraphy::temporary_folder() +
                                             "/.polygraphy-precision-");
      search.engine = engine_job(given, factory, job);
      search.loop.artifact = folder / "polygraphy_debug.engine";
      search.check = check.maker(job, path_of);
      const PrecisionResult result = polygraphy::find_precision(search, job.log());
      return JobReport{result.passed(), job.take_text(), polygraphy::record_json(result)};
    }));
  });
}

}  // namespace native
