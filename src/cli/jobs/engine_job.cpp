#include "cli/jobs/engine_job.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/log_modules.h"
#include "cli/args/data_loader.h"
#include "cli/args/engines.h"
#include "cli/args/isolation.h"
#include "cli/session/runner_tools.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"

namespace polygraphy::cli {
namespace {

bool has_content(const std::string& path) {
  std::error_code none;
  return std::filesystem::file_size(path, none) > 0 && !none;
}

CalibrationBatch calibration_of(Session& session, const EngineJob& job) {
  const ParsedArgs& args = session.args();
  Logger& log = session.log();
  DataLoaderArgs inputs = resolve_data_loader(args, session.env(), job.runner.session.inputs, log);
  use_graph_of(job.model, inputs);
  const std::string cache = session.env().path(args.text("--calibration-cache").value_or(""));
  if (!args.has("--int8") || needs_python(job)) {
    warn_of_unused_inputs(args, log);
  } else if (!has_content(cache)) {
    require_inputs(inputs);
  } else if (inputs.script || !inputs.load_inputs.empty()) {
    log.info(log_modules::kTrtConfig,
             "The calibration cache has the scales, so the given inputs are not read: " + cache);
  }
  return make_calibration(std::move(inputs), job.tools.python, CalibrationFeeds::Random::kWarned,
                          log);
}

}  // namespace

std::string gpu_device(const Environment& env) {
  for (const std::string_view name :
       {"SLURM_STEP_GPUS", "SLURM_JOB_GPUS", "CUDA_VISIBLE_DEVICES"}) {
    const std::string_view value = env.variable(name);
    const std::string_view first = value.substr(0, value.find(','));
    if (first.empty() || first.find('/') != first.npos) continue;
    return "gpu-" + std::string(first);
  }
  return "gpu-0";
}

EngineJob resolve_engine_job(Session& session, ModelSource model, Metadata shapes,
                             std::string_view name) {
  const ParsedArgs& args = session.args();
  const Environment& env = session.env();
  EngineJob job{
      .model = std::move(model), .tools = resolve_runner_tools(session), .device = gpu_device(env)};
  const BackendCatalog catalog(job.tools.paths.plugin_dirs);
  job.runner = resolve_backend_spec(args, env, *catalog.get(name).options);
  job.runner.session.inputs = std::move(shapes);
  if (args.syntax().find("--timeout")) job.runner.timeout = resolve_timeout(args);
  if (args.syntax().find("--seed")) job.runner.session.calibration = calibration_of(session, job);
  return job;
}

}  // namespace polygraphy::cli
