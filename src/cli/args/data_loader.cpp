#include "cli/args/data_loader.h"

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/py_numbers.h"
#include "base/text.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/script_args.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/ir/copy.h"
#include "polygraphy/data/inputs/feeds_in_range.h"
#include "polygraphy/data/inputs/saved_feeds.h"
#include "polygraphy/data/inputs/script_feeds.h"
#include "polygraphy/data/inputs/torch_random.h"
#include "polygraphy/data/tensors/tensor_format.h"

namespace polygraphy::cli {
namespace {

constexpr uint8_t kSourceSet = 1;
using log_modules::kDataLoaderOptions;

std::string load_inputs_help() {
  return "Run saved inputs instead of random ones: files (" + names_of_saved_formats() + ", " +
         names_of_loaded_formats() +
         ", raw bytes as x.bin:NAME:[1,3,4]:float32), or folders of samples.";
}

constexpr Option kOptions[] = {
    {.spellings = "--seed",
     .help = "Seed of the random inputs; iteration i uses SEED + i. Default: 1.",
     .type = ValueType::kInt},
    {.spellings = "--val-range",
     .help = "Range of generated values, both ends included, for all inputs or for one: [0,1] "
             "image:[0,255]. Default: [0,1].",
     .arity = Arity::kOneOrMore,
     .metavar = "[NAME:][LOW,HIGH]"},
    {.spellings = "--iterations --iters",
     .help = "Number of input sets to generate and run. Default: 1.",
     .type = ValueType::kInt},
    {.spellings = "--samples",
     .help = "Run only these of the inputs, counted from 0: the first and the last, as in 0..99, "
             "or one.",
     .metavar = "I[..J]",
     .origin = Origin::kOurs},
    {.spellings = "--data-loader-backend-module",
     .help = "Random number generator: numpy (the default; NumPy is not needed), or torch from "
             "your own Python.",
     .choices = "numpy torch"},
    {.spellings = "--data-loader",
     .help = "Kind of random inputs. random (the default): as in the original. valid: inputs that "
             "satisfy the constraints of the graph, such as indices within the axis that they "
             "index, masks of 0 and 1, matching shapes.",
     .metavar = "KIND",
     .choices = "random valid",
     .origin = Origin::kOurs},
    {.spellings = "--load-inputs --load-input-data",
     .arity = Arity::kOneOrMore,
     .files = FileUse::kRead,
     .metavar = "PATH",
     .made_help = load_inputs_help,
     .exclusive = kSourceSet},
    {.spellings = "--input-file",
     .help = "Same as --load-inputs.",
     .arity = Arity::kOneOrMore,
     .files = FileUse::kRead,
     .metavar = "PATH",
     .origin = Origin::kOurs,
     .exclusive = kSourceSet},
    {.spellings = "--data-loader-script",
     .help = "Load inputs from a Python function, run by your own Python: it returns or yields "
             "dicts of input name to array. Default function: load_data.",
     .files = FileUse::kRead,
     .metavar = "SCRIPT[:FUNCTION]",
     .exclusive = kSourceSet},
    {.spellings = "--int-min",
     .type = ValueType::kInt,
     .origin = Origin::kRemoved,
     .instead = "--val-range"},
    {.spellings = "--int-max",
     .type = ValueType::kInt,
     .origin = Origin::kRemoved,
     .instead = "--val-range"},
    {.spellings = "--float-min",
     .type = ValueType::kFloat,
     .origin = Origin::kRemoved,
     .instead = "--val-range"},
    {.spellings = "--float-max",
     .type = ValueType::kFloat,
     .origin = Origin::kRemoved,
     .instead = "--val-range"},
    {.spellings = "--data-loader-func-name",
     .origin = Origin::kRemoved,
     .instead = "--data-loader-script SCRIPT:NAME"},
};

using Range = std::pair<double, double>;

}  // namespace

std::vector<Value> parse_val_range(const std::string& input, const std::string& text) {
  const Value value = cast_value(text);
  std::string note = "Note: Option was parsed as: input: " + input + ", range: " + value.repr();
  if (const size_t open = input.find('['); open != std::string::npos) {  // x:[0:255]
    note += "\nDid you mean: " + input.substr(0, open) +
            replace_all(input.substr(open) + ":" + text, ":", ",") + "?";
  }
  const auto* items = std::get_if<std::vector<Value>>(&value.data);
  const size_t count = items ? items->size() : 1;
  if (count != 2) {
    throw Error("In --val-range, for input: " + input +
                    ", expected to receive exactly 2 values, but received " +
                    std::to_string(count) + ".",
                note);
  }
  if (!items->front().is_number() || !items->back().is_number()) {
    throw Error("In --val-range, for input: " + input +
                    ", one or more elements of the range could not be parsed as a number.",
                note);
  }
  return *items;
}

namespace {

// 0.49's pairs; the missing half of a pair had its own default.
void add_removed_range(const ParsedArgs& args, std::string_view low, std::string_view high,
                       Range defaults, OrderedMap<Range>& out) {
  if (!args.has(low) && !args.has(high)) return;
  // An integer is also a valid float text.
  const auto value = [&](std::string_view key, double fallback) {
    const auto text = args.text(key);
    return text ? parse_float(*text).value_or(fallback) : fallback;
  };
  out.set("", {value(low, defaults.first), value(high, defaults.second)});
}

}  // namespace

extern constinit const ArgGroup args_data_loader = {
    .title = "Data Loader",
    .summary = "The inputs of each iteration: random or loaded.",
    .options = kOptions};

OrderedMap<Range> resolve_val_range(const ParsedArgs& args) {
  OrderedMap<Range> ranges;
  for (const auto& [input, text] : parse_key_values(args.list("--val-range"))) {
    const std::vector<Value> ends = parse_val_range(input, text);
    ranges.set(input, {ends.front().number(), ends.back().number()});
  }
  return ranges;
}

DataLoaderArgs resolve_data_loader(const ParsedArgs& args, const Environment& env,
                                   const Metadata& shapes, Logger& log) {
  DataLoaderArgs result;
  result.torch = args.text("--data-loader-backend-module") == "torch";
  result.options.shapes = shapes;
  if (const auto seed = args.integer("--seed")) {
    if (*seed < 0) throw Error("--seed must not be negative, but was: " + std::to_string(*seed));
    result.options.seed = static_cast<uint64_t>(*seed);
  }
  if (const auto iterations = args.integer("--iterations")) {
    if (*iterations < 0) {
      throw Error("--iterations must not be negative, but was: " + std::to_string(*iterations));
    }
    result.options.iterations = *iterations;
  }
  result.options.val_range = resolve_val_range(args);
  if (const auto samples = args.text("--samples")) {
    result.samples = parse_index_range("--samples", *samples);
    if (!args.has("--iterations")) result.options.iterations = result.samples->last + 1;
  }
  add_removed_range(args, "--int-min", "--int-max", {1, 25}, result.options.int_range);
  add_removed_range(args, "--float-min", "--float-max", {-1, 1}, result.options.float_range);

  for (const std::string_view key : {"--load-inputs", "--input-file"}) {
    for (const auto& path : args.list(key)) result.load_inputs.push_back(env.path(path));
  }
  result.valid = args.text("--data-loader") == "valid";
  const std::string function = args.text("--data-loader-func-name").value_or("load_data");
  result.script = symbol_of(args, env, "--data-loader-script", function);
  if (result.load_inputs.empty() && !result.script) return result;
  for (const std::string_view key : {"--seed", "--int-min", "--int-max", "--float-min",
                                     "--float-max", "--val-range", "--iterations"}) {
    if (!args.has(key)) continue;
    log.warning(kDataLoaderOptions,
                "Argument: " + py_str_repr(key) +
                    " will be ignored since a custom data loader was provided.\n"
                    "This argument is only valid when using the default data loader.");
  }
  return result;
}

void use_graph_of(const ModelSource& source, DataLoaderArgs& inputs) {
  if (!inputs.valid) return;
  inputs.options.model = [source] {
    return graphsurgeon::load_model(source.path,
                                    {.external_data_dir = source.external_data_dir,
                                     .ignore_external_data = source.ignore_external_data});
  };
}

void use_graph_of(const graphsurgeon::Model& model, DataLoaderArgs& inputs) {
  if (!inputs.valid) return;
  inputs.options.model = [&model] { return graphsurgeon::copy(model); };
}

namespace {

std::unique_ptr<FeedSource> all_feeds(const DataLoaderArgs& inputs,
                                      const std::shared_ptr<UserPython>& python, Logger& log) {
  if (inputs.script) return script_feeds(python, *inputs.script, inputs.options, log);
  if (!inputs.load_inputs.empty()) return saved_feeds(inputs.load_inputs, python, log);
  DataLoaderOptions options = inputs.options;
  if (inputs.torch) options.random = torch_random(python);
  return generated_feeds(std::move(options), log);
}

}  // namespace

std::unique_ptr<FeedSource> make_feeds(const DataLoaderArgs& inputs,
                                       const std::shared_ptr<UserPython>& python, Logger& log) {
  auto feeds = all_feeds(inputs, python, log);
  if (!inputs.samples) return feeds;
  return feeds_in_range(std::move(feeds), inputs.samples->first, inputs.samples->last);
}

CalibrationBatch make_calibration(DataLoaderArgs inputs, std::shared_ptr<UserPython> python,
                                  CalibrationFeeds::Random random, Logger& log) {
  inputs.samples.reset();  // an engine is the same for all samples
  CalibrationFeeds feeds(
      [inputs = std::move(inputs), python, &log] { return make_feeds(inputs, python, log); },
      random, log);
  return [feeds = std::move(feeds), python = std::move(python)](
             const Metadata& wanted, bool first, const std::function<bool()>& abandoned) mutable {
    const UserPython::Watch watch(*python, abandoned);
    return feeds.next(wanted, first);
  };
}

void require_inputs(const DataLoaderArgs& inputs) {
  if (inputs.script) require_script(*inputs.script);
  require_saved_feeds(inputs.load_inputs);
}

void warn_of_unused_inputs(const ParsedArgs& args, Logger& log) {
  for (const std::string_view option : {"--load-inputs", "--input-file", "--data-loader-script"}) {
    if (!args.has(option)) continue;
    log.warning(kDataLoaderOptions,
                "Option: " + std::string(option) + " has no effect: int8 is not calibrated here.",
                Once::kYes);
  }
}

}  // namespace polygraphy::cli
