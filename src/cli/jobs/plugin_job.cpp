#include "cli/jobs/plugin_job.h"

#include <filesystem>

#include "base/os/paths.h"
#include "cli/args/onnx_loading.h"
#include "cli/jobs/option_warnings.h"
#include "cli/session/python_environments.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {

PluginJob resolve_plugin_job(Session& session) {
  const ParsedArgs& args = session.args();
  const Environment& env = session.env();
  warn_of_removed_options(args, session.log());
  PluginJob job;
  ModelArgs& model = job.model = resolve_model(args, env, session.log());
  require_onnx(model);
  job.folder = folder_of(model.path);
  if (auto copy = file_of_pipe(model.path)) {
    session.keep(std::move(copy));
    job.folder = std::filesystem::absolute(env.path(".")).lexically_normal().native();
  }
  job.match.model = resolve_model_source(args, env, model.path);
  job.match.patterns.folder =
      std::filesystem::absolute(env.path(*args.text("--plugin-dir"))).lexically_normal().native();
  if (args.syntax().find("--include")) {
    job.match.patterns.include = args.list("--include");
    job.match.patterns.exclude = args.list("--exclude");
  }
  const std::string package = native_package(env);
  if (!package.empty()) job.match.packages = package + "/compat";
  return job;
}

NamedFile file_of_job(Session& session, const PluginJob& job, std::string_view option,
                      const std::string& name) {
  if (const auto typed = session.args().text(option)) {
    return {*typed, session.env().path(*typed)};
  }
  const std::string path = (std::filesystem::path(job.folder) / name).native();
  return {path, path};
}

}  // namespace polygraphy::cli
