#include "cli/args/plugins.h"

namespace polygraphy::cli {
namespace {

constexpr uint8_t kChoice = 1;

constexpr Option kOptions[] = {
    {.spellings = "--plugin-dir",
     .help = "The folder of plugins: a folder for each, with a file pattern.py.",
     .type = ValueType::kFolder,
     .files = FileUse::kRead,
     .metavar = "FOLDER",
     .required = true},
    {.spellings = "--include",
     .help = "Only these plugins: names of their folders.",
     .arity = Arity::kOneOrMore,
     .metavar = "PLUGIN",
     .exclusive = kChoice},
    {.spellings = "--exclude",
     .help = "All plugins but these: names of their folders.",
     .arity = Arity::kOneOrMore,
     .metavar = "PLUGIN",
     .exclusive = kChoice},
};

}  // namespace

constinit const ArgGroup args_plugins = {
    .title = "Plugins", .summary = "Where the patterns of plugins are.", .options = kOptions};

}  // namespace polygraphy::cli
