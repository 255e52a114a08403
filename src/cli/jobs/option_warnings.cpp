#include "cli/jobs/option_warnings.h"

#include <algorithm>

#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/backend.h"

namespace polygraphy::cli {

void warn_of_removed_options(const ParsedArgs& args, Logger& log) {
  for (const auto& occurrence : args.occurrences()) {
    const Option& option = *occurrence.entry->option;
    if (option.origin != Origin::kRemoved) continue;
    log.warning(
        log_modules::kArgUtil,
        occurrence.spelling + " is deprecated. Use " + std::string(option.instead) + " instead.",
        Once::kYes);
  }
}

void warn_of_unused_backend_options(const ParsedArgs& args, Logger& log) {
  const auto& sections = args.syntax().sections();
  for (const auto& occurrence : args.occurrences()) {
    const auto* backend = sections[occurrence.entry->section].backend;
    if (!backend || occurrence.entry->option->origin != Origin::kOurs) continue;
    bool used = false;
    for (const auto& other : args.occurrences()) used |= other.entry->runner == backend;
    if (used) continue;
    log.warning(log_modules::kRun, "Option: " + occurrence.entry->display() +
                                       " has no effect without " +
                                       std::string(split(backend->flags, ' ').front()));
  }
}

void warn_of_files_of_several_runners(const ParsedArgs& args, Logger& log) {
  const auto& occurrences = args.occurrences();
  for (const auto& entry : args.syntax().entries()) {
    if (!entry.backend || entry.option->files != FileUse::kWritten) continue;
    const auto* backend = args.syntax().sections()[entry.section].backend;
    const auto path = args.text(entry.key());
    const auto runners =
        std::count_if(occurrences.begin(), occurrences.end(),
                      [&](const Occurrence& each) { return each.entry->runner == backend; });
    if (!path || runners < 2) continue;
    log.warning(log_modules::kRun, "Option: " + entry.display() + ": each of " +
                                       std::to_string(runners) + " runners writes to '" + *path +
                                       "'. Only the last result remains.");
  }
}

}  // namespace polygraphy::cli
