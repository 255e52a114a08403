#include "api/given_engine.h"

#include <utility>

#include "base/error.h"
#include "polygraphy/data/inputs/calibration_feeds.h"

namespace native {

using polygraphy::CalibrationFeeds;

polygraphy::CalibrationBatch calibration(const GivenRun& given, Job& job) {
  return CalibrationFeeds([&given, &job] { return given.feeds(job); },
                          CalibrationFeeds::Random::kWarned, job.log());
}

polygraphy::EngineJob engine_job(const GivenRun& given, JobRunnerFactory& factory, Job& job) {
  const polygraphy::RunnerSpec& spec = given.runners.specs.at(0);
  if (spec.backend.empty()) {
    throw polygraphy::Error("The program " + spec.program + " compiles no models.",
                            "Give a runner of a library that does, such as \"tensorrt\".");
  }
  polygraphy::EngineJob made{
      .runner = spec, .model = factory.form_for(spec, given.source()), .tools = factory.tools()};
  made.runner.session.calibration = calibration(given, job);
  return made;
}

}  // namespace native
