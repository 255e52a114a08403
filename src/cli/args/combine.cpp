#include "cli/args/combine.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "paths",
     .help =
         "Saved inputs or outputs: files (JSON, .safetensors, .npz), or folders of one file per "
         "iteration.",
     .arity = Arity::kOneOrMore,
     .type = ValueType::kPath,
     .required = true},
    {.spellings = "-o --output",
     .help = "The file to write: JSON or, by its name, .safetensors or .npz.",
     .type = ValueType::kPath,
     .metavar = "PATH",
     .required = true},
};

}  // namespace

constinit const ArgGroup args_combine = {
    .title = "Files", .summary = "What is read and written.", .options = kOptions};

CombineArgs resolve_combine(const ParsedArgs& args, const Environment& env) {
  CombineArgs result;
  for (const auto& path : args.list("paths")) result.paths.push_back(env.path(path));
  result.output = env.path(args.text("--output").value_or(""));
  return result;
}

}  // namespace polygraphy::cli
