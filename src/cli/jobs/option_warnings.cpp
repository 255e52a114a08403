#include "cli/jobs/option_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/error.h"
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

namespace {

// Of Option::needs: "--mode=auto" needs this value.
struct Need {
  std::string_view key, value;
};

bool is_met(const ParsedArgs& args, const Need& need) {
  return args.has(need.key) && (need.value.empty() || args.text(need.key) == need.value);
}

// The needs that the command has an option for, as a user types them: "--check or --mode auto";
// empty: one of them is met.
std::string unmet_needs(const ParsedArgs& args, std::string_view needs) {
  std::vector<std::string> unmet;
  for (const std::string_view each : split(needs, ' ')) {
    const size_t equal = each.find('=');
    const Need need{each.substr(0, equal), equal == each.npos ? "" : each.substr(equal + 1)};
    if (!args.syntax().find(need.key)) continue;
    if (is_met(args, need)) return {};
    unmet.push_back(replace_all(each, "=", " "));
  }
  return join(std::span<const std::string>(unmet), " or ");
}

}  // namespace

void check_needed_options(const ParsedArgs& args, Logger& log) {
  for (const Occurrence& use : args.occurrences()) {
    const Option& option = *use.entry->option;
    const std::string unmet = option.needs.empty() ? "" : unmet_needs(args, option.needs);
    if (unmet.empty()) continue;
    const std::string text = use.spelling + " has no effect without " + unmet;
    if (option.origin == Origin::kOurs || option.files == FileUse::kWritten)
      throw Error(text, "Add " + unmet + ".");
    log.warning(log_modules::kArgUtil, "Option: " + text, Once::kYes);
  }
}

void refuse_together(const ParsedArgs& args, std::string_view option,
                     std::span<const std::string_view> others) {
  for (const std::string_view other : others) {
    if (!args.syntax().find(other) || !args.has(other)) continue;
    throw Error(fmt::format("{} and {} exclude each other", option, other),
                "Leave one of them out.");
  }
}

void warn_of_function_options(const ParsedArgs& args, std::string_view option,
                              std::string_view read, Logger& log) {
  for (const Occurrence& use : args.occurrences()) {
    const std::string_view functions = use.entry->option->functions;
    if (functions.empty() || functions == read) continue;
    log.warning(log_modules::kArgUtil,
                fmt::format("Option: {} has no effect with {}", use.spelling, option), Once::kYes);
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
    const auto* backend = args.syntax().section_of(entry).backend;
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
