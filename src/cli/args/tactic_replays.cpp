#include "cli/args/tactic_replays.h"

#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--dir",
     .help = "Folder with the folders good and bad of tactic replays. Default: the current folder.",
     .type = ValueType::kFolder,
     .files = FileUse::kRead},
    {.spellings = "--good",
     .help = "A good tactic replay, or a folder of them.",
     .files = FileUse::kRead},
    {.spellings = "--bad",
     .help = "A bad tactic replay, or a folder of them.",
     .files = FileUse::kRead},
};

}  // namespace

extern constinit const ArgGroup args_tactic_replays = {
    .title = "Tactic Replays", .summary = "Good and bad tactic replays.", .options = kOptions};

DiffTactics resolve_tactic_replays(const ParsedArgs& args, const Environment& env) {
  const std::string folder = args.text("--dir").value_or("");
  const auto in_folder = [&](const char* name) {
    return folder.empty() ? std::string(name) : folder + (folder.ends_with('/') ? "" : "/") + name;
  };
  return {.good = env.path(args.text("--good").value_or(in_folder("good"))),
          .bad = env.path(args.text("--bad").value_or(in_folder("bad"))),
          .one_may_miss = !args.has("--good") && !args.has("--bad")};
}

}  // namespace polygraphy::cli
