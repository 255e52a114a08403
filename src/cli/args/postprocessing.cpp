#include "cli/args/postprocessing.h"

#include "base/log_modules.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/value_parsing.h"

namespace polygraphy::cli {
namespace {

std::string postprocess_help() {
  std::string help =
      "Functions to apply to outputs, all or one, before they are validated and compared.";
  for (const Postprocess* kind : postprocesses()) {
    help += " " + std::string(kind->form) + ", such as NAME:" + std::string(kind->example) + ": " +
            std::string(kind->summary) + ".";
  }
  return help;
}

constexpr Option kOptions[] = {
    {.spellings = "--postprocess --postprocess-func",
     .arity = Arity::kOneOrMore,
     .metavar = "[OUTPUT:]FUNCTION",
     .made_help = postprocess_help},
    {.spellings = "--postprocess-func-script",
     .help = "Process outputs with a Python function instead, run by your own Python: it gets a "
             "result and returns it. Default function: postprocess_outputs.",
     .files = FileUse::kRead,
     .metavar = "SCRIPT[:FUNCTION]"},
};

}  // namespace

extern constinit const ArgGroup args_postprocessing = {
    .title = "Comparator Postprocessing",
    .summary = "Functions that are applied to outputs before the comparison.",
    .options = kOptions};

void resolve_postprocessing(const ParsedArgs& args, CompareOptions& options, Logger& log) {
  if (args.has("--postprocess-func-script")) {
    if (!args.has("--postprocess")) return;
    log.warning(log_modules::kPostprocessOptions,
                "Argument: '" + args.display("--postprocess") +
                    "' will be ignored since '--postprocess-func-script' was provided.");
    return;
  }
  for (const auto& [output, text] : parse_key_values(args.list("--postprocess"))) {
    options.postprocess.set(output, parse_postprocess(text));
  }
}

}  // namespace polygraphy::cli
