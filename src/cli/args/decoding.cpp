#include "cli/args/decoding.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--decode",
     .help = "Run a language model on the prompt, and then this number of tokens one by one, with "
             "its cache. Every runner gets the tokens that the first one prefers. The inputs are "
             "the prompts; masks, positions and caches are made.",
     .type = ValueType::kInt,
     .metavar = "STEPS",
     .origin = Origin::kOurs},
    {.spellings = "--free-run",
     .help = "Let each runner go on with the tokens that it prefers itself.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs,
     .needs = "--decode"},
    {.spellings = "--decoder-names",
     .help = "A JSON file that names inputs, outputs and caches of the language model: {\"tokens\": "
             "..., \"mask\": ..., \"positions\": ..., \"logits\": ..., \"caches\": {\"past\": "
             "\"present\"}, \"sizes\": {\"head_size\": 64}}. Default: by names and shapes.",
     .type = ValueType::kPath,
     .files = FileUse::kRead,
     .metavar = "FILE",
     .origin = Origin::kOurs,
     .needs = "--decode"},
};

}  // namespace

constinit const ArgGroup args_decoding = {
    .title = "Decoding", .summary = "Language models token by token.", .options = kOptions};

std::optional<DecodeOptions> resolve_decoding(const ParsedArgs& args, const Environment& env) {
  const auto steps = args.integer("--decode");
  if (!steps) return std::nullopt;
  return DecodeOptions{.steps = *steps,
                       .free_run = args.has("--free-run"),
                       .names = env.path(args.text("--decoder-names").value_or(""))};
}

}  // namespace polygraphy::cli
