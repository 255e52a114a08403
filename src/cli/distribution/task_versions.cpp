#include "cli/distribution/task_versions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/version.h"
#include "tasks/run_task.h"

namespace polygraphy::cli {
namespace {

// The program has the runtime for noise with it.
constexpr std::string_view kProgram = "polygraphy";

// As it stands in a list between commas.
std::string listed(std::string version) {
  std::ranges::replace(version, ',', ' ');
  return version;
}

}  // namespace

void add_versions(TaskJob& job, const std::vector<RunnerSpec>& specs, RunnerFactory& factory) {
  job.versions.set(std::string(kProgram), std::string(kVersion));
  for (const RunnerSpec& spec : specs) {
    const std::string version = factory.installed_version(spec);
    if (!version.empty()) job.versions.set(spec.label(), version);
  }
  std::string all;
  for (const auto& [name, version] : job.versions)
    all += (all.empty() ? "" : ",") + name + "=" + listed(version);
  job.argv.insert(job.argv.end(), {"--task-versions", all});
}

void require_versions(const ParsedArgs& args, const OrderedMap<std::string>& used) {
  const std::string all(args.text("--task-versions").value_or(""));
  for (const std::string_view wanted : split(all, ',')) {
    const size_t equals = wanted.find('=');
    if (equals == wanted.npos) continue;
    const std::string name(wanted.substr(0, equals)), version(wanted.substr(equals + 1));
    const std::string own(kVersion);
    const std::string* here = name == kProgram ? &own : used.find(name);
    if (!here || listed(*here) == version) continue;
    throw Error(kOtherVersion,
                fmt::format("{} is {} on {}, but {} where the plan was made", name, *here,
                            host_name(), version),
                "Use the same version on all machines.");
  }
}

}  // namespace polygraphy::cli
