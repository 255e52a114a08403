// `polygraphy job`.
#include <string>
#include <vector>

#include "base/os/file_text.h"
#include "base/os/protected_files.h"
#include "cli/args/backend_path.h"
#include "cli/command_syntax.h"
#include "cli/driver.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "cli/syntax/job_words.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

// --print-job stands behind the file: it prints the job with the options behind it.
constexpr GroupUse kGroups[] = {
    {&args_logging, "--verbose --quiet --verbosity --silent --log-format --log-file"}};

constexpr Option kOptions[] = {
    {.spellings = "job_file",
     .help = "The job, and further options of its command.",
     .arity = Arity::kRemainder,
     .required = true},
};

// With the options of back ends that the job names, or the words behind it.
std::vector<std::string> words_with_plugins(const JobDocument& job,
                                            const std::vector<std::string>& further,
                                            Environment& env) {
  const Command& command = command_of_job(job.command);
  if (!takes_backends(command)) return words_of(job, *syntax_of(command, {}), further);
  std::vector<std::string> named = further;
  if (const JobArgument* paths = job.arguments.find("backend_path")) {
    named.emplace_back("--backend-path");
    for (const auto& use : paths->uses) {
      for (const JobArgument::Scalar& path : use) named.push_back(path.text);
    }
  }
  if (may_name_backends(named)) {
    const auto syntax = syntax_of(command, backend_option_tables());
    env.backend_paths = named_backends(*syntax, named, env);
  }
  return words_of(job, *CommandSyntax(command, env), further);
}

int run_command(Session& session) {
  const auto given = session.args().list("job_file");
  Environment again = session.env();
  const std::string path = again.path(given.front());
  const JobDocument job = parse_job(read_text(path), given.front());
  // The command does not replace it. The driver cannot see which of the words is a file.
  const auto file = identity_of(path);
  const ProtectedFiles read(file ? std::vector{*file} : std::vector<FileIdentity>());
  std::vector<std::string> argv = words_with_plugins(job, {given.begin() + 1, given.end()}, again);
  argv.insert(argv.begin(), again.executable);
  again.backend_paths.clear();
  again.is_job = true;
  return run_command_line(again, argv);
}

}  // namespace

extern constinit const Command command_job = {
    .path = "job",
    .summary = "Run a command that is written as a job in JSON.",
    .description =
        "Run the command of a file that --print-job has printed, or that was written by the "
        "schema of `polygraphy schema COMMAND --job`. Options behind the file are added to those "
        "of the job. The exit code is the command's. See docs/jobs.md.",
    .examples =
        "polygraphy job job.json\n"
        "polygraphy job job.json --json nodes.json",
    .order = 112,
    .groups = kGroups,
    .options = kOptions,
    .failure = kCouldNotRun,
    .is_outside = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
