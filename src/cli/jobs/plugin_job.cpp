#include "cli/jobs/plugin_job.h"

#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/os/paths.h"
#include "base/os/writable.h"
#include "cli/args/model.h"
#include "cli/jobs/command_setup.h"
#include "cli/session/python_environments.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {
namespace {

// Throws Error where the path is relative to a current folder that was removed.
std::string absolute(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path result = std::filesystem::absolute(path, failed);
  if (failed) {
    throw Error("'" + path + "' cannot be found: the current folder was removed",
                "Change to another folder.");
  }
  return result.lexically_normal().native();
}

}  // namespace

PluginJob resolve_plugin_job(Session& session) {
  const ParsedArgs& args = session.args();
  const Environment& env = session.env();
  CommandSetup setup = resolve_setup(session);
  require_onnx(setup.model);
  PluginJob job;
  job.folder = setup.from_pipe ? absolute(env.path(".")) : folder_of(setup.model.path);
  job.match.model = std::move(setup.model);
  job.shapes = std::move(setup.shapes);
  job.match.patterns.folder = absolute(env.path(*args.text("--plugin-dir")));
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

NamedFile output_of_job(Session& session, const PluginJob& job, std::string_view option,
                        const std::string& name) {
  NamedFile output = file_of_job(session, job, option, name);
  if (!session.args().text(option)) refuse_link(output.path);
  return output;
}

}  // namespace polygraphy::cli
