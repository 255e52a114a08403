#include "cli/args/combine.h"
#include "cli/syntax/arg_group.h"
#include "polygraphy/data/tensors/tensor_format.h"

namespace polygraphy::cli {
namespace {

std::string paths_help() {
  return "Saved inputs or outputs: files (" + names_of_saved_formats() +
         "), or folders of one file per iteration.";
}

std::string output_help() {
  return "File to write: JSON or, by its name, one of " + names_of_binary_formats() + ".";
}

constexpr Option kOptions[] = {
    {.spellings = "paths",
     .arity = Arity::kOneOrMore,
     .files = FileUse::kRead,
     .made_help = paths_help,
     .required = true},
    {.spellings = "-o --output",
     .files = FileUse::kWritten,
     .may_be = "paths",
     .metavar = "PATH",
     .made_help = output_help,
     .required = true},
};

}  // namespace

extern constinit const ArgGroup args_combine = {
    .title = "Files", .summary = "Files to read and to write.", .options = kOptions};

CombineArgs resolve_combine(const ParsedArgs& args, const Environment& env) {
  CombineArgs result;
  for (const auto& path : args.list("paths")) result.paths.push_back(env.path(path));
  result.output = env.path(args.text("--output").value_or(""));
  return result;
}

}  // namespace polygraphy::cli
