#include "cli/args/onnx_loading.h"

#include "cli/args/onnx_shape_inference.h"
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kOutputsHelp =
    "Mark these tensors as the model's outputs: names, wildcards, or '*' for all.";
constexpr std::string_view kExcludeOutputsHelp =
    "Exclude these tensors from the model's outputs: names or wildcards.";
constexpr std::string_view kOutputsByTypeHelp =
    "Mark every output of nodes of these operators as an output of the model, such as Conv Gemm.";

constexpr Option kOptions[] = {
    {.spellings = "--external-data-dir --load-external-data --ext",
     .help = "Folder of the tensors stored outside the model file. Default: the model's folder.",
     .type = ValueType::kFolder,
     .files = FileUse::kFolderOfData},
    {.spellings = "--ignore-external-data",
     .help = "Load the structure only. Such a model can be inspected, but not run.",
     .arity = Arity::kFlag},
    {.spellings = "--onnx-outputs",
     .help = kOutputsHelp,
     .arity = Arity::kOneOrMore,
     .metavar = "NAME"},
    {.spellings = "--onnx-exclude-outputs",
     .help = kExcludeOutputsHelp,
     .arity = Arity::kOneOrMore,
     .metavar = "NAME"},
    {.spellings = "--onnx-outputs-by-type",
     .help = kOutputsByTypeHelp,
     .arity = Arity::kOneOrMore,
     .metavar = "OP"},
    {.spellings = "--outputs", .help = kOutputsHelp, .arity = Arity::kOneOrMore, .metavar = "NAME"},
    {.spellings = "--exclude-outputs",
     .help = kExcludeOutputsHelp,
     .arity = Arity::kOneOrMore,
     .metavar = "NAME"},
    {.spellings = "--outputs-by-type",
     .help = kOutputsByTypeHelp,
     .arity = Arity::kOneOrMore,
     .metavar = "OP"},
    {.spellings = "--fp-to-fp16",
     .help = "Convert the model to float16; its inputs and outputs, and operators that need it, "
             "stay float32.",
     .arity = Arity::kFlag},
    {.spellings = "--set-unbounded-dds-upper-bound",
     .help = "Upper bounds for data-dependent sizes that the model does not bound: 1000 for all "
             "tensors, or NAME:1000 for one. See `polygraphy inspect model --list-unbounded-dds`.",
     .arity = Arity::kOneOrMore,
     .metavar = "[NAME:]BOUND"},
};

// The option has one of two names, or is missing.
std::vector<std::string> optional_list(const ParsedArgs& args, std::string_view key,
                                       std::string_view short_key) {
  for (const std::string_view name : {key, short_key}) {
    const Syntax::Entry* entry = args.syntax().find(name);
    // `extract` has --outputs, too, and means something else by it.
    if (entry && args.syntax().section_of(*entry).group == &args_onnx_loading) {
      return args.list(name);
    }
  }
  return {};
}

}  // namespace

// Commands pick from it: sanitize calls the output options by shorter names.
extern constinit const ArgGroup args_onnx_loading = {
    .title = "ONNX Model Loading",
    .summary = "Loading of the model, and its outputs.",
    .options = kOptions};

void resolve_onnx_loading(const ParsedArgs& args, const Environment& env, ModelSource& model) {
  if (!args.syntax().find("--external-data-dir")) return;
  if (const auto folder = args.text("--external-data-dir"))
    model.external_data_dir = env.path(*folder);
  model.ignore_external_data = args.has("--ignore-external-data");
  model.outputs = optional_list(args, "--onnx-outputs", "--outputs");
  model.exclude_outputs = optional_list(args, "--onnx-exclude-outputs", "--exclude-outputs");
  model.outputs_by_type = optional_list(args, "--onnx-outputs-by-type", "--outputs-by-type");
  model.shape_inference = wants_shape_inference(args);
  model.float16 = args.has("--fp-to-fp16");
}

}  // namespace polygraphy::cli
