// `polygraphy inspect data`.
#include "polygraphy/model_tools/inspect/inspect_data.h"

#include "cli/session/session.h"
#include "cli/session/user_interpreter.h"
#include "cli/syntax/command.h"
#include "cli/syntax/parser.h"
#include "polygraphy/data/inputs/saved_feeds.h"
#include "polygraphy/data/tensors/tensor_format.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

std::string path_help() {
  return "Saved inputs or outputs: a file (" + names_of_saved_formats() + "; inputs also " +
         names_of_loaded_formats() + "), or a folder of one file per iteration.";
}

constexpr Option kOptions[] = {
    {.spellings = "path", .files = FileUse::kRead, .made_help = path_help, .required = true},
    {.spellings = "-a --all",
     .help = "Show every iteration, not only the first.",
     .arity = Arity::kFlag},
    {.spellings = "-s --show-values", .help = "Show the values.", .arity = Arity::kFlag},
    {.spellings = "--histogram", .help = "Show a histogram of each tensor.", .arity = Arity::kFlag},
    {.spellings = "-n --num-items",
     .help = "With --show-values: number of elements to show at each end of a dimension of tensors "
             "with more than 1000 elements; -1 for all. Default: 3.",
     .type = ValueType::kInt,
     .needs = "--show-values"},
    {.spellings = "--line-width",
     .help = "With --show-values: characters per line; -1 breaks at the ends of dimensions only. "
             "Default: 75.",
     .type = ValueType::kInt,
     .needs = "--show-values"},
    {.spellings = "--tensors",
     .help = "Show these tensors only, by name or pattern: 'logits', '*/attn/*'. Others are not "
             "read.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME",
     .origin = Origin::kOurs},
};

int run_command(Session& session) {
  const ParsedArgs& args = session.args();
  InspectDataOptions options;
  options.all = args.has("--all");
  options.show_values = args.has("--show-values");
  options.histogram = args.has("--histogram");
  options.num_items = args.integer("--num-items").value_or(3);
  options.line_width = args.integer("--line-width").value_or(75);
  options.tensors = args.list("--tensors");
  options.torch = torch_reader(make_user_python(session.env(), session.log()));
  inspect_data(session.env().path(*args.text("path")), options, session.log());
  return 0;
}

}  // namespace

extern constinit const Command command_inspect_data = {
    .path = "inspect data",
    .summary = "Summarise saved inputs or outputs.",
    .description =
        "Summarise saved inputs or outputs: types, shapes and statistics and, on request, "
        "histograms and values.",
    .examples =
        "polygraphy inspect data outputs.json --show-values\n"
        "polygraphy inspect data outputs.json --histogram --tensors 'logits' '*/attn/*'",
    .order = 1,
    .groups = kGroups,
    .options = kOptions,
    .run = run_command,
};

}  // namespace polygraphy::cli
