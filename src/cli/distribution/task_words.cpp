#include "cli/distribution/task_words.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/os/files/file_access.h"
#include "base/os/system_error.h"
#include "base/text.h"
#include "cli/args/distribution.h"
#include "cli/jobs/file_check.h"
#include "tasks/input_digests.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kCpus = "--task-cpus";

std::string current_folder(const Environment& env) {
  return env.root.empty() ? std::filesystem::current_path().native()
                          : std::filesystem::absolute(env.root).native();
}

// An option whose value begins like an option.
bool needs_equal_sign(const Occurrence& use) {
  return use.values.size() == 1 && use.values.front().starts_with("-") &&
         use.spelling.starts_with("--");
}

// Options of logs, reports and distribution.
bool leaves_results_alone(const Syntax& syntax, const Occurrence& use) {
  const ArgGroup* group = syntax.section_of(*use.entry).group;
  return group &&
         (group->of_messages || group == &args_distribution || group == &args_report_forms);
}

}  // namespace

std::vector<std::string> task_words(const ParsedArgs& args, std::string_view command,
                                    const std::vector<std::string_view>& without) {
  std::vector<std::string> words, positional;
  for (const std::string_view word : split(command, ' ')) words.emplace_back(word);
  for (const Occurrence& use : args.occurrences()) {
    if (leaves_results_alone(args.syntax(), use) ||
        std::ranges::count(without, use.entry->key()) > 0)
      continue;
    if (!use.spelling.starts_with("-")) {
      positional.insert(positional.end(), use.values.begin(), use.values.end());
    } else if (needs_equal_sign(use)) {
      words.push_back(use.spelling + "=" + use.values.front());
    } else {
      words.push_back(use.spelling);
      words.insert(words.end(), use.values.begin(), use.values.end());
    }
  }
  // Before options, of which the last could take them for its values.
  const auto place = words.begin() + std::ranges::count(command, ' ') + 1;
  words.insert(place, positional.begin(), positional.end());
  return words;
}

void require_model(const std::string& path) {
  if (path.empty() || is_readable(path)) return;
  throw IoError(path + ": " + system_reason(errno), open_hint(errno));
}

TaskJob task_job(Session& session, std::string_view command,
                 const std::vector<std::string_view>& without) {
  const ParsedArgs& args = session.args();
  const Environment& env = session.env();
  TaskJob job{.argv = task_words(args, command, without),
              .result_option = "--save-task",
              .folder = current_folder(env),
              .needs = resolve_task_needs(args),
              .command = session.words()};
  // Engines may give other results with other numbers of threads.
  job.argv.emplace_back(kCpus);
  job.argv.push_back(std::to_string(job.needs.cpus));
  InputDigests digests;
  for (const std::string& path : files_read(args, env, without))
    job.inputs.push_back(digests.input(path, job.folder));
  return job;
}

}  // namespace polygraphy::cli
