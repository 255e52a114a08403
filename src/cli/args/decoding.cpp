#include "cli/args/decoding.h"

#include "cli/syntax/arg_group.h"

#include <utility>

namespace polygraphy::cli {
namespace {

constexpr int64_t kUsualWindow = 512;  // tokens, as of llama-perplexity

constexpr Option kOptions[] = {
    {.spellings = "--decode",
     .help = "Run a language model on the prompt, and then this number of tokens one by one, with "
             "its cache. Every runner gets the tokens that the first one prefers. The inputs are "
             "the prompts; masks, positions and caches are made.",
     .type = ValueType::kInt,
     .metavar = "STEPS",
     .origin = Origin::kOurs},
    {.spellings = "--free-run",
     .help = "Let each runner continue with the tokens that it prefers itself.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs,
     .needs = "--decode"},
    {.spellings = "--prompt",
     .help = "Decode these texts instead of generated tokens, by the package tokenizers of your "
             "Python.",
     .arity = Arity::kOneOrMore,
     .metavar = "TEXT",
     .origin = Origin::kOurs,
     .needs = "--decode --decode-step --text",
     .starts_python = true},
    {.spellings = "--prompts",
     .help = "Decode the prompts of this file: lines of text, or a JSON list of texts and lists of "
             "token ids.",
     .files = FileUse::kRead,
     .metavar = "FILE",
     .origin = Origin::kOurs,
     .needs = "--decode --decode-step --text",
     .starts_python = true},
    {.spellings = "--text",
     .help = "Run the text of this file in windows, and say each runner's perplexity, and how far "
             "the distributions of two runners are apart. A JSON list of token ids needs no "
             "tokenizer. Without a comparison function: --compare tokens:margin=auto.",
     .files = FileUse::kRead,
     .metavar = "FILE",
     .origin = Origin::kOurs,
     .starts_python = true},
    {.spellings = "--window",
     .help = "Number of tokens of a window; the second half is scored. Default: 512.",
     .type = ValueType::kInt,
     .metavar = "TOKENS",
     .origin = Origin::kOurs,
     .needs = "--text"},
    {.spellings = "--tokenizer",
     .help = "The tokenizer of the prompts: a file tokenizer.json. Default: that in the model's "
             "folder.",
     .files = FileUse::kRead,
     .metavar = "FILE",
     .origin = Origin::kOurs,
     .needs = "--prompt --prompts --text",
     .starts_python = true},
    {.spellings = "--decoder-names",
     .help =
         "A JSON file that names inputs, outputs and caches of the language model: {\"tokens\": "
         "..., \"mask\": ..., \"positions\": ..., \"logits\": ..., \"caches\": {\"past\": "
         "\"present\"}, \"sizes\": {\"head_size\": 64}}. Default: by names and shapes.",
     .files = FileUse::kRead,
     .metavar = "FILE",
     .origin = Origin::kOurs,
     .needs = "--decode --decode-step --text"},
};

}  // namespace

extern constinit const ArgGroup args_decoding = {
    .title = "Decoding", .summary = "Language models token by token.", .options = kOptions};

std::vector<Prompt> resolve_prompts(const ParsedArgs& args, const Environment& env,
                                    const std::string& model,
                                    const std::shared_ptr<UserPython>& python) {
  std::vector<Prompt> prompts;
  for (const std::string& text : args.list("--prompt")) prompts.push_back({.text = text});
  if (const auto file = args.text("--prompts")) {
    for (Prompt& prompt : load_prompts(env.path(*file))) prompts.push_back(std::move(prompt));
  }
  // Commands that decode up to one step take no text.
  const auto text = args.syntax().find("--text") ? args.text("--text") : std::nullopt;
  if (text) prompts.push_back(load_text(env.path(*text)));
  tokenize_for_model(prompts, model, env.path(args.text("--tokenizer").value_or("")), *python);
  if (text) return windows_of(prompts.front(), args.integer("--window").value_or(kUsualWindow));
  return prompts;
}

std::optional<DecodeOptions> resolve_decoding(const ParsedArgs& args, const Environment& env) {
  const auto steps = args.integer("--decode");
  if (!steps && !args.has("--text")) return std::nullopt;
  return DecodeOptions{.steps = steps.value_or(0),
                       .free_run = args.has("--free-run"),
                       .names = env.path(args.text("--decoder-names").value_or(""))};
}

}  // namespace polygraphy::cli
