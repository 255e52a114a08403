#include "cli/unsupported_options.h"

#include <algorithm>

#include "base/log_modules.h"
#include "base/text.h"
#include "cli/args/comparison.h"
#include "cli/session/plugin_paths.h"
#include "polygraphy/backend.h"
#include "polygraphy/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

// An option of one comparison function matters only when that function is selected.
bool matters(const ParsedArgs& args, const Option& option) {
  if (option.functions.empty()) return true;
  const auto readers = split(option.functions, ' ');
  const auto selected = selected_functions(args);
  return std::any_of(selected.begin(), selected.end(), [&](const std::string& name) {
    return std::find(readers.begin(), readers.end(), name) != readers.end();
  });
}

void warn_of_absent_engines(const ParsedArgs& args, Logger& log) {
  OrderedMap<std::vector<std::string>> ignored;
  for (const auto& occurrence : args.occurrences()) {
    const std::string_view engine =
        args.syntax().sections()[occurrence.entry->section].absent_engine;
    if (engine.empty() || occurrence.entry->option->selects_runner) continue;
    auto& options = ignored[engine];
    const std::string& name = occurrence.spelling;
    if (std::find(options.begin(), options.end(), name) == options.end()) options.push_back(name);
  }
  for (const auto& [engine, options] : ignored) {
    log.warning(log_modules::kArgGroup,
                engine + " is not available: this version has no back end for it. Ignoring " +
                    join(options, ", "));
  }
}

}  // namespace

Error engine_not_available(const Environment& env, std::string_view engine) {
  std::vector<std::string_view> flags;
  const BackendCatalog catalog(plugin_folders(env));
  for (const auto* backend : catalog.tables()) flags.push_back(split(backend->flags, ' ').front());
  const std::string engines = join(flags, ", ");
  return Error(std::string(engine) + " is not available: this version has no back end for it",
               "Back ends that it has: " + engines + ". See `polygraphy backends`.");
}

void check_for_unsupported_options(const ParsedArgs& args, Logger& log) {
  for (const auto& occurrence : args.occurrences()) {
    const Option& option = *occurrence.entry->option;
    if (option.support == Support::kLater && matters(args, option)) {
      throw Error(occurrence.spelling + " is not available in this version yet");
    }
  }
  for (const auto& occurrence : args.occurrences()) {
    const Option& option = *occurrence.entry->option;
    if (option.origin != Origin::kRemoved) continue;
    log.warning(
        log_modules::kArgUtil,
        occurrence.spelling + " is deprecated. Use " + std::string(option.instead) + " instead.",
        Once::kYes);
  }
  if (!args.syntax().find("--gen") || !args.has("--gen")) warn_of_absent_engines(args, log);
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
    if (!entry.backend || entry.backend->type != PGB_WRITTEN_FILE) continue;
    const auto* backend = args.syntax().sections()[entry.section].backend;
    const auto path = args.text(entry.key());
    const auto runners =
        std::count_if(occurrences.begin(), occurrences.end(),
                      [&](const Occurrence& each) { return each.entry->runner == backend; });
    if (!path || runners < 2) continue;
    log.warning(log_modules::kRun, "Option: " + entry.display() + ": each of " +
                                       std::to_string(runners) + " runners writes '" + *path +
                                       "'. What the last one writes stays.");
  }
}

}  // namespace polygraphy::cli
