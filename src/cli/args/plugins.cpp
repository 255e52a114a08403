#include "cli/args/plugins.h"

#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr uint8_t kChoice = 1;

constexpr Option kOptions[] = {
    {.spellings = "--plugin-dir",
     .help = "Folder of plugins: one folder per plugin, with a file pattern.py.",
     .type = ValueType::kFolder,
     .files = FileUse::kRead,
     .metavar = "FOLDER",
     .required = true},
    {.spellings = "--include",
     .help = "Use only these plugins: names of their folders.",
     .arity = Arity::kOneOrMore,
     .metavar = "PLUGIN",
     .exclusive = kChoice},
    {.spellings = "--exclude",
     .help = "Skip these plugins: names of their folders.",
     .arity = Arity::kOneOrMore,
     .metavar = "PLUGIN",
     .exclusive = kChoice},
};

}  // namespace

// Commands pick from it: `plugin replace` takes what its configuration names.
extern constinit const ArgGroup args_plugins = {
    .title = "Plugins", .summary = "Patterns of plugins.", .options = kOptions};

}  // namespace polygraphy::cli
