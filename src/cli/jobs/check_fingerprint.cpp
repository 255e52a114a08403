#include "cli/jobs/check_fingerprint.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "cli/args/data_loader.h"
#include "cli/args/debugging.h"
#include "cli/args/model_checks.h"

namespace polygraphy::cli {
namespace {

// They belong to the groups that decide verdicts, but do not.
constexpr std::string_view kIgnored[] = {"--show-output", "--hide-fail-output", "--same-failure"};

std::string key_of(const Option& option) {
  for (const auto word : split(option.spellings, ' ')) {
    if (word.starts_with("--")) return std::string(word);
  }
  return std::string(option.spellings);
}

}  // namespace

Fingerprint fingerprint_of_check(const ParsedArgs& args) {
  FingerprintBuilder builder;
  const auto add = [&](const std::string& key) {
    if (!args.syntax().find(key)) return;
    for (const auto& values : args.all(key)) {
      builder.add(key).add(values.size());
      for (const std::string& value : values) builder.add(value);
    }
  };
  for (const std::string& key : model_check_keys(args)) add(key);
  for (const ArgGroup* group : {&args_pass_fail, &args_data_loader}) {
    for (const Option& option : group->options) {
      const std::string key = key_of(option);
      if (std::find(std::begin(kIgnored), std::end(kIgnored), key) == std::end(kIgnored)) add(key);
    }
  }
  return builder.value();
}

}  // namespace polygraphy::cli
