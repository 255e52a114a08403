#include "cli/args/side_by_side.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/shell_words.h"
#include "base/thread_pool.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {
namespace {

constexpr int64_t kMostJobs = 1024;

constexpr Option kOptions[] = {
    {.spellings = "--on",
     .help =
         "Run checks side by side. local: processes on this machine (workers); slurm: steps of the "
         "job that salloc or sbatch has started, as many as it has tasks. Result, replay and log "
         "are the same as with one check at a time. Each check has its own file: {model} in the "
         "check command is replaced by its path, and $POLYGRAPHY_DEBUG_MODEL holds it.",
     .metavar = "local[:N]|slurm",
     .origin = Origin::kOurs},
    {.spellings = "-j --jobs",
     .help = "Number of parallel checks, as with --on local:N; 0: one per core. With --on slurm: "
             "fewer steps than the job has tasks. Default: 1.",
     .type = ValueType::kInt,
     .metavar = "N",
     .origin = Origin::kOurs},
    {.spellings = "--launcher",
     .help = "Prefix of the check command, split like in a shell, for schedulers that --on lacks: "
             "'qrsh -now no'.",
     .metavar = "COMMAND",
     .origin = Origin::kOurs},
};

int64_t resolve_jobs(const ParsedArgs& args) {
  const int64_t jobs = args.integer("--jobs").value_or(1);
  if (jobs < 0 || jobs > kMostJobs) {
    throw Error("--jobs must be 0 (one per core) to 1024, but was: " + std::to_string(jobs));
  }
  return jobs == 0 ? std::max(1, parallelism()) : jobs;
}

}  // namespace

extern constinit const ArgGroup args_side_by_side = {
    .title = "Checks Side by Side", .summary = "Checks at a time.", .options = kOptions};

Allocation resolve_side_by_side(Session& session) {
  const ParsedArgs& args = session.args();
  const auto on = args.text("--on");
  const auto launcher = args.text("--launcher");
  if (!on) return {.slots = resolve_jobs(args), .launcher = shell_words(launcher.value_or(""))};
  const Schedule schedule = parse_schedule(*on);
  Allocation found =
      allocation_of(schedule, [&](std::string_view name) { return session.env().variable(name); });
  if (launcher && !found.launcher.empty())
    throw Error("--launcher and --on " + *on + " both start the check command",
                "Leave one of them out.");
  if (launcher) found.launcher = shell_words(*launcher);
  if (args.has("--jobs")) {
    if (!schedule.settings.empty())
      throw Error("--jobs and --on " + *on + " both say how many checks run at a time",
                  "Leave one of them out.");
    found.slots = resolve_jobs(args);
  }
  found.slots = std::min(found.slots, kMostJobs);
  return found;
}

}  // namespace polygraphy::cli
