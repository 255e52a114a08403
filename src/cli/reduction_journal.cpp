#include "cli/reduction_journal.h"

#include <algorithm>
#include <string>

#include "base/fingerprint.h"
#include "base/text.h"
#include "cli/args/data_loader.h"
#include "cli/args/debugging.h"
#include "cli/args/model_checks.h"
#include "polygraphy/reduce/candidates/model_fingerprint.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kModule = "tools/debug/subtool/reduce.py";

// They belong to the groups that decide verdicts, but do not.
constexpr std::string_view kNoSay[] = {"--show-output", "--hide-fail-output", "--same-failure"};

std::string key_of(const Option& option) {
  for (const auto word : split(option.spellings, ' ')) {
    if (word.starts_with("--")) return std::string(word);
  }
  return std::string(option.spellings);
}

Fingerprint options_fingerprint(const ParsedArgs& args) {
  FingerprintBuilder builder;
  if (const ModelCheck* kind = selected_model_check(args)) {
    builder.add(kind->name);
    for (const std::string& engine : args.list(option_of(*kind))) builder.add(engine);
  }
  for (const ArgGroup* group : {&args_pass_fail, &args_model_checks, &args_data_loader}) {
    for (const Option& option : group->options) {
      const std::string key = key_of(option);
      if (std::find(std::begin(kNoSay), std::end(kNoSay), key) != std::end(kNoSay)) continue;
      if (!args.syntax().find(key)) continue;
      for (const auto& values : args.all(key)) {
        builder.add(key).add(values.size());
        for (const std::string& value : values) builder.add(value);
      }
    }
  }
  return builder.value();
}

}  // namespace

std::unique_ptr<Journal> open_journal(Session& session, const graphsurgeon::Model& model) {
  const ParsedArgs& args = session.args();
  const bool resume = args.has("--resume");
  if (!args.has("--journal")) {
    if (!resume) return nullptr;
    throw Error("--resume needs to know which journal to go on with", "Give it with --journal.");
  }
  const std::string typed = args.text("--journal").value_or("");
  auto journal =
      std::make_unique<Journal>(session.env().path(typed),
                                "model " + ModelFingerprints::with_contents(model).text() +
                                    ", check " + options_fingerprint(args).text(),
                                resume);
  if (resume) {
    session.log().info(kModule, "Going on with the journal " + typed + ": " +
                                    std::to_string(journal->before().size()) +
                                    " verdict(s) are known");
  }
  return journal;
}

}  // namespace polygraphy::cli
