#include "cli/args/folding.h"

#include <algorithm>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/near_names.h"
#include "base/text.h"
#include "cli/args/isolation.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/value_parsing.h"
#include "graphsurgeon/fold/rule.h"

namespace polygraphy::cli {
namespace {

using graphsurgeon::FoldRule;
using graphsurgeon::Partitioning;

constexpr Option kOptions[] = {
    {.spellings = "--fold-constants",
     .help =
         "Compute values that depend on constants only, shapes included, and store the results.",
     .arity = Arity::kFlag},
    {.spellings = "--num-passes --num-const-fold-passes",
     .help = "Maximum number of passes. Default: repeat until a pass folds nothing.",
     .type = ValueType::kInt},
    {.spellings = "--partitioning",
     .help = "Fallback if a part cannot be computed. basic: compute each result separately; "
             "recursive: continue from the failing node. Default: compute nothing in that pass.",
     .choices = "basic recursive"},
    {.spellings = "--no-fold-shapes",
     .help = "Leave Shape nodes and the arithmetic on shapes alone.",
     .arity = Arity::kFlag},
    {.spellings = "--no-per-pass-shape-inference",
     .help = "Do not infer shapes while folding.",
     .arity = Arity::kFlag},
    {.spellings = "--fold-size-threshold",
     .help = "Leave results larger than this unfolded, such as 4096, 16K or 1.5M.",
     .metavar = "BYTES"},
    {.spellings = "--max-growth",
     .help = "Limit on the file's growth by folding, such as 16M, 1.5G or unlimited; results "
             "beyond it stay unfolded. Default: 16M.",
     .metavar = "BYTES",
     .origin = Origin::kOurs},
    {.spellings = "--mem-limit",
     .help =
         "Limit on the memory that results and the values on the way to them take together "
         "(512M, 4G); nodes beyond it stay, and a warning names them. Default: 4G for each call "
         "of ONNX Runtime.",
     .metavar = "BYTES",
     .origin = Origin::kOurs},
    {.spellings = "--keep-input-defaults",
     .help = "Do not fold initializers that are inputs too, which callers may replace from IR "
             "version 4 on. Default: take them for constants.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
    {.spellings = "--skip-rule",
     .help = "Do not apply these folding rules.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME",
     .origin = Origin::kOurs},
    {.spellings = "--list-rules",
     .help = "List the folding rules, and exit.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs,
     .answers = true},
};

// The option and the name of its destination in the original, which is what its warning shows.
struct FoldingOption {
  std::string_view key, shown;
};
constexpr FoldingOption kFoldingOptions[] = {
    {"--num-passes", "--num-const-fold-passes"},
    {"--partitioning", "--partitioning"},
    {"--no-fold-shapes", "--fold-shapes"},
    {"--no-per-pass-shape-inference", "--per-pass-shape-inference"},
    {"--fold-size-threshold", "--fold-size-threshold"},
    {"--max-growth", "--max-growth"},
    {"--mem-limit", "--mem-limit"},
    {"--keep-input-defaults", "--keep-input-defaults"},
    {"--skip-rule", "--skip-rule"},
};

std::vector<std::string> known_rules(const std::vector<std::string>& names) {
  std::vector<std::string_view> known;
  for (const FoldRule* rule : graphsurgeon::fold_rules()) known.push_back(rule->name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string similar = did_you_mean(name, known);
    throw Error("Unknown folding rule '" + name + "'.",
                (similar.empty() ? "" : similar + "\n") +
                    "All rules: polygraphy surgeon sanitize --list-rules");
  }
  return names;
}

std::optional<int64_t> parse_growth(const std::string& text) {
  if (text == "unlimited") return std::nullopt;
  return parse_bytes(text);
}

void warn_of_unused(const ParsedArgs& args, Logger& log) {
  for (const auto& [key, shown] : kFoldingOptions) {
    if (!args.has(key)) continue;
    log.warning(log_modules::kSurgeonSanitize,
                "Argument: " + py_str_repr(shown) +
                    " will be ignored since constant folding is not enabled.\n"
                    "This argument is only valid when the `--fold-constants` option is "
                    "provided.");
  }
}

}  // namespace

extern constinit const ArgGroup args_folding = {
    .title = "Constant Folding",
    .summary = "Computation of values that do not depend on the inputs.",
    .options = kOptions};

std::optional<FoldModelOptions> resolve_folding(const ParsedArgs& args, Logger& log) {
  const bool folds = args.has("--fold-constants");
  if (!folds) warn_of_unused(args, log);
  FoldModelOptions options;
  options.max_passes = args.integer("--num-passes").value_or(options.max_passes);
  options.growth_advice =
      "To fold these nodes, too, set --max-growth to unlimited or a larger size. -v lists them.";
  options.memory_advice = "To fold these nodes, too, raise --mem-limit. -v lists them.";
  options.defaults_advice = "To let callers replace them, set --keep-input-defaults.";
  graphsurgeon::FoldOptions& fold = options.fold;
  fold.fold_shapes = !args.has("--no-fold-shapes");
  fold.infer_shapes = fold.fold_shapes && !args.has("--no-per-pass-shape-inference");
  if (const auto way = args.text("--partitioning")) {
    fold.partitioning = *way == "basic" ? Partitioning::kBasic : Partitioning::kRecursive;
  }
  if (const auto size = args.text("--fold-size-threshold"))
    fold.size_threshold = parse_bytes(*size);
  if (const auto size = args.text("--max-growth")) fold.max_growth = parse_growth(*size);
  fold.memory_limit = resolve_memory_limit(args);
  fold.keep_input_defaults = args.has("--keep-input-defaults");
  fold.skip_rules = known_rules(args.list("--skip-rule"));
  if (!folds) return std::nullopt;
  return options;
}

std::string list_of_rules() {
  size_t width = 0;
  for (const FoldRule* rule : graphsurgeon::fold_rules())
    width = std::max(width, rule->name.size());
  std::string text;
  for (const FoldRule* rule : graphsurgeon::fold_rules()) {
    text += rule->name;
    text.append(width + 2 - rule->name.size(), ' ');
    text.append(rule->summary).append("\n");
  }
  return text;
}

}  // namespace polygraphy::cli
