#include "base/log.h"

#include <array>
#include <cassert>
#include <ctime>

#include "base/text.h"

namespace polygraphy {
namespace {

struct SeverityFacts {
  Severity severity;
  std::string_view name;
  char letter;
  int color;  // number in the 256-colour table; 0: none
};

constexpr std::array<SeverityFacts, 10> kSeverities = {{
    {Severity::kUltraVerbose, "ULTRA_VERBOSE", 'U', 8},    // dark gray
    {Severity::kSuperVerbose, "SUPER_VERBOSE", 'S', 126},  // medium violet red
    {Severity::kExtraVerbose, "EXTRA_VERBOSE", 'X', 104},  // medium purple
    {Severity::kVerbose, "VERBOSE", 'V', 13},              // light magenta
    {Severity::kInfo, "INFO", 'I', 0},
    {Severity::kStart, "START", 'I', 14},      // light cyan
    {Severity::kFinish, "FINISH", 'I', 10},    // light green
    {Severity::kWarning, "WARNING", 'W', 11},  // light yellow
    {Severity::kError, "ERROR", 'E', 9},       // light red
    {Severity::kCritical, "CRITICAL", '!', 9},
}};

const SeverityFacts& facts(Severity severity) {
  for (const SeverityFacts& entry : kSeverities) {
    if (entry.severity == severity) return entry;
  }
  assert(false && "not one of the severities of the Severity enumeration");
  return kSeverities[4];
}

// Without empty components: "//backend/trt/" is "backend/trt".
std::string normalized(std::string_view path) {
  std::string result;
  for (const std::string_view part : split(path, '/')) {
    if (part.empty()) continue;
    if (!result.empty()) result += '/';
    result += part;
  }
  return result;
}

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[16];
  return {text, std::strftime(text, sizeof text, "%H:%M:%S", &local)};
}

}  // namespace

void Logger::set_severity(std::string_view path, Severity threshold) {
  std::string key = normalized(path);
  if (key.empty()) {
    default_ = threshold;
  } else {
    by_path_.insert_or_assign(std::move(key), threshold);
  }
}

Severity Logger::severity(std::string_view module) const {
  if (by_path_.empty()) return default_;
  // The given paths form a trie, of which the sorted map is a flat form: a node exists when some
  // path equals it or continues it with a slash.
  std::string node;
  for (const std::string_view part : split(module, '/')) {
    if (part.empty()) continue;
    const size_t parent_length = node.size();
    if (!node.empty()) node += '/';
    node += part;
    if (by_path_.find(node) != by_path_.end()) continue;
    node += '/';
    const auto below = by_path_.lower_bound(node);
    const bool exists = below != by_path_.end() && below->first.starts_with(node);
    node.pop_back();
    if (exists) continue;
    node.resize(parent_length);
    break;
  }
  const auto found = by_path_.find(node);
  return found == by_path_.end() ? default_ : found->second;
}

std::vector<std::pair<std::string, Severity>> Logger::thresholds() const {
  std::vector<std::pair<std::string, Severity>> result = {{"", default_}};
  result.insert(result.end(), by_path_.begin(), by_path_.end());
  return result;
}

bool Logger::enabled(Severity severity, std::string_view module) const {
  return (sink_ || relay_) && severity >= this->severity(module);
}

void Logger::log(Severity severity, std::string_view module, std::string_view text, Once once) {
  if (!enabled(severity, module)) return;
  if (once == Once::kYes && !seen_.emplace(text).second) return;
  if (relay_) return relay_(severity, module, text, once, indent_);

  const SeverityFacts& level = facts(severity);
  std::string prefix = {'[', level.letter, ']', ' '};
  if (timestamp_) prefix += '(' + time_of_day() + ") ";
  if (line_info_) prefix += '[' + std::string(module) + "] ";
  const std::string margin(static_cast<size_t>(indent_) * 4, ' ');
  const std::string continuation = '\n' + margin + std::string(code_points(prefix), ' ');

  const std::vector<std::string_view> lines = split_lines(text);
  std::string message;
  message.reserve(text.size() + (lines.size() + 1) * continuation.size() + 32);
  const bool colored = colors_ && level.color != 0;
  if (colored) message = "\x1b[38;5;" + std::to_string(level.color) + 'm';
  message += prefix;
  message += margin;
  bool first = true;
  for (const std::string_view line : lines) {
    if (!first) message += continuation;
    message += line;
    first = false;
  }
  if (colored) message += "\x1b[0m";
  sink_(severity, message);
}

void show_as_verbose(Logger& quiet, Logger& log, std::string_view module) {
  if (!log.enabled(Severity::kVerbose, module)) {
    quiet.set_severity(Severity::kCritical);
    return;
  }
  // Without the prefix ("[I] ") that `quiet` has put before it.
  quiet.set_sink(
      [&log, module](Severity, std::string_view text) { log.verbose(module, text.substr(4)); });
}

std::string_view severity_name(Severity severity) {
  return facts(severity).name;
}

bool parse_severity(std::string_view name, Severity& out) {
  const std::string upper = to_upper(name);
  for (const SeverityFacts& entry : kSeverities) {
    if (entry.name == upper) {
      out = entry.severity;
      return true;
    }
  }
  return false;
}

}  // namespace polygraphy
