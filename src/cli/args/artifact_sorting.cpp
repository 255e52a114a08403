#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--artifacts",
     .help = "Files or folders that each iteration writes. They are moved to good/ or bad/ under "
             "--artifacts-dir, with the iteration number in their names.",
     .arity = Arity::kOneOrMore,
     .files = FileUse::kMoved,
     .may_be = "--check",
     .metavar = "PATH"},
    {.spellings = "--art-dir --artifacts-dir",
     .help = "Folder for the artifacts. Default: polygraphy_artifacts.",
     .type = ValueType::kFolder,
     .files = FileUse::kWritten,
     .metavar = "FOLDER"},
};

}  // namespace

extern constinit const ArgGroup args_artifact_sorting = {
    .title = "Artifact Sorting",
    .summary = "Files of passing and failing iterations.",
    .options = kOptions};

}  // namespace polygraphy::cli
