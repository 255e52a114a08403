#include "cli/args/inference.h"

#include "base/error.h"
#include "cli/args/report.h"
#include "cli/syntax/arg_group.h"
#include "polygraphy/data/tensors/tensor_format.h"

namespace polygraphy::cli {
namespace {

std::string saving_help(const std::string& what, const std::string& file) {
  return "Save " + what + ": to a JSON file, to a binary one (" + names_of_binary_formats() +
         "), or, for a path without extension, to a folder of one file per iteration; '" + file +
         ".npz/' is a folder of such files. Without a path: to " + file +
         ".json, in --output-dir if there is one.";
}

constexpr Option kOptions[] = {
    {.spellings = "--warm-up",
     .help = "Run the first inputs this many times before the measured runs. Default: 0.",
     .type = ValueType::kInt},
    {.spellings = "--use-subprocess", .help = "Same as --isolate.", .arity = Arity::kFlag},
    {.spellings = "--save-inputs --save-input-data",
     .arity = Arity::kOptional,
     .files = FileUse::kWritten,
     .or_folder = true,
     .metavar = "PATH",
     .made_help = [] { return saving_help("the inputs", "inputs"); }},
    {.spellings = "--save-input-blob",
     .help = "Also save the raw bytes of the inputs: FOLDER/<iteration>/<input>.bin. Default: the "
             "current folder.",
     .arity = Arity::kOptional,
     .type = ValueType::kFolder,
     .files = FileUse::kWritten,
     .metavar = "FOLDER"},
    {.spellings = "--save-outputs --save-results",
     .arity = Arity::kOptional,
     .files = FileUse::kWritten,
     .or_folder = true,
     .metavar = "PATH",
     .made_help = [] { return saving_help("the outputs of all runners", "outputs"); }},
};

// The original's options need a path; ours may go without.
std::string save_path(const ParsedArgs& args, const Environment& env, std::string_view option,
                      const std::string& name) {
  if (!args.has(option)) return {};
  const auto path = args.text(option);
  return path ? env.path(*path) : default_save_path(args, env, name);
}

}  // namespace

extern constinit const ArgGroup args_inference = {
    .title = "Comparator Inference",
    .summary = "Inference, and files for its inputs and outputs.",
    .options = kOptions};

void resolve_inference(const ParsedArgs& args, const Environment& env, CompareOptions& options) {
  options.warm_up = args.integer("--warm-up").value_or(0);
  if (options.warm_up < 0) {
    throw Error("--warm-up must not be negative, but was: " + std::to_string(options.warm_up));
  }
  options.save_inputs = save_path(args, env, "--save-inputs", "inputs.json");
  if (args.has("--save-input-blob")) {
    options.save_input_blobs = env.path(args.text("--save-input-blob").value_or("."));
  }
  options.save_outputs = save_path(args, env, "--save-outputs", "outputs.json");
}

}  // namespace polygraphy::cli
