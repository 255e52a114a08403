#include "cli/args/benchmark.h"

#include "base/error.h"
#include "base/py_numbers.h"
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr int64_t kNodes = 10;

constexpr Option kOptions[] = {
    {.spellings = "--benchmark",
     .help = "Measure latency, throughput and memory of the runners, in turns, instead of "
             "comparing their outputs; with --compare, --validate or an option that saves or loads "
             "outputs, after that.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
    {.spellings = "--benchmark-runs",
     .help = "Number of measured runs per runner and shape. Default: 50, after --warm-up (here 5).",
     .type = ValueType::kInt,
     .origin = Origin::kOurs,
     .needs = "--benchmark"},
    {.spellings = "--benchmark-shapes",
     .help = "Input shapes to measure, as for --input-shapes; once for each set of shapes.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME:SHAPE",
     .origin = Origin::kOurs,
     .needs = "--benchmark",
     .appends = true},
    {.spellings = "--benchmark-batch",
     .help = "Batch sizes to measure: 1 8 32. They set the first dimension of each input, if it is "
             "dynamic.",
     .arity = Arity::kOneOrMore,
     .metavar = "SIZE",
     .origin = Origin::kOurs,
     .needs = "--benchmark"},
    {.spellings = "--benchmark-nodes",
     .help = "Also time single nodes, in separate runs, and print the slowest COUNT. Default: 10.",
     .arity = Arity::kOptional,
     .type = ValueType::kInt,
     .metavar = "COUNT",
     .origin = Origin::kOurs,
     .needs = "--benchmark"},
    {.spellings = "--save-benchmark",
     .help = "Save all measurements as JSON.",
     .files = FileUse::kWritten,
     .metavar = "PATH",
     .origin = Origin::kOurs,
     .needs = "--benchmark"},
    {.spellings = "--save-benchmark-plot",
     .help = "Save latency and throughput as a picture (SVG).",
     .files = FileUse::kWritten,
     .metavar = "PATH",
     .origin = Origin::kOurs,
     .needs = "--benchmark"},
};

int64_t at_least_one(std::string_view option, int64_t value) {
  if (value >= 1) return value;
  throw Error(std::string(option) + " must be at least 1, but was: " + std::to_string(value));
}

}  // namespace

extern constinit const ArgGroup args_benchmark = {
    .title = "Benchmark",
    .summary = "Latency, throughput and memory of the runners.",
    .options = kOptions};

BenchmarkArgs resolve_benchmark(const ParsedArgs& args, const Environment& env) {
  BenchmarkArgs result;
  result.enabled = args.has("--benchmark");
  if (!result.enabled) return result;
  result.job.options.runs =
      at_least_one("--benchmark-runs", args.integer("--benchmark-runs").value_or(50));
  result.job.options.warm_up = args.integer("--warm-up").value_or(5);
  for (const auto& set : args.all("--benchmark-shapes")) {
    result.job.shapes.push_back(parse_metadata(set, {.shape = true, .dtype = false}));
  }
  for (const auto& text : args.list("--benchmark-batch")) {
    const auto size = parse_int(text);
    if (!size) throw Error("--benchmark-batch: not a number: " + text);
    result.job.batches.push_back(at_least_one("--benchmark-batch", *size));
  }
  if (args.has("--benchmark-nodes")) {
    result.job.nodes =
        at_least_one("--benchmark-nodes", args.integer("--benchmark-nodes").value_or(kNodes));
  }
  const bool given = args.has("--load-inputs") || args.has("--data-loader-script");
  if (given && (!result.job.shapes.empty() || !result.job.batches.empty())) {
    throw Error(
        "--benchmark-shapes and --benchmark-batch cannot be combined with --load-inputs or "
        "--data-loader-script",
        "Leave one of them out.");
  }
  result.job.save = env.path(args.text("--save-benchmark").value_or(""));
  result.job.save_plot = env.path(args.text("--save-benchmark-plot").value_or(""));
  for (const std::string_view key :
       {"--compare", "--validate", "--load-outputs", "--save-outputs", "--save-inputs",
        "--save-accuracy-results", "--check-average", "--metric"}) {
    result.compare_too |= args.has(key);
  }
  return result;
}

}  // namespace polygraphy::cli
