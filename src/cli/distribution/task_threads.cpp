#include "cli/distribution/task_threads.h"

#include <algorithm>
#include <string>

#include "cli/args/distribution.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {

void set_threads(const ParsedArgs& args, std::vector<RunnerSpec>& runners) {
  const TaskNeeds needs = resolve_task_needs(args);
  for (const auto& section : args.syntax().sections()) {
    if (!section.backend) continue;
    const std::string key(switches_of(*section.backend).threads);
    if (key.empty()) continue;
    for (RunnerSpec& runner : runners) {
      if (runner.backend != section.backend->name) continue;
      BackendOptions& options = runner.session.options;
      const bool given =
          std::ranges::any_of(options, [&](const auto& option) { return option.first == key; });
      if (!given) options.emplace_back(key, std::vector{std::to_string(needs.cpus)});
    }
  }
}

void set_noise_threads(const ParsedArgs& args, RunnerSpec& noise) {
  noise.session.options.emplace_back("threads",
                                     std::vector{std::to_string(resolve_task_needs(args).cpus)});
}

}  // namespace polygraphy::cli
