// Limits on a command's access to files and the network.
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--no-sandbox",
     .help = "Let the command, the engines and the plugins that it loads do all that you may do. "
             "Without it, they read the folders of the files that are given and of installed "
             "libraries, write the folders of outputs, and start no programs.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
    {.spellings = "--allow-read",
     .help = "More files and folders to read in the sandbox, with all below them.",
     .arity = Arity::kOneOrMore,
     .type = ValueType::kFolder,
     .metavar = "PATH",
     .origin = Origin::kOurs,
     .appends = true},
    {.spellings = "--allow-write",
     .help = "More files and folders to change in the sandbox, with all below them.",
     .arity = Arity::kOneOrMore,
     .type = ValueType::kFolder,
     .metavar = "PATH",
     .origin = Origin::kOurs,
     .appends = true},
    {.spellings = "--allow-net",
     .help = "Allow connections to other processes and machines in the sandbox.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
};

}  // namespace

extern constinit const ArgGroup args_sandbox = {
    .title = "Sandbox",
    .summary = "A model cannot do more than this; see SECURITY.md.",
    .options = kOptions,
    .of_access = true};

}  // namespace polygraphy::cli
