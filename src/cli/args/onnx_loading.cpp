#include "cli/args/onnx_loading.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--external-data-dir --load-external-data --ext",
     .help = "The folder of the tensors that are stored outside the model file. Default: the "
             "model's own.",
     .type = ValueType::kFolder},
    {.spellings = "--ignore-external-data",
     .help = "Load the structure only. Such a model can be looked at, but not run.",
     .arity = Arity::kFlag},
    {.spellings = "--onnx-outputs",
     .help = "Make these tensors the model's outputs: names, wildcards, or '*' for all.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME"},
    {.spellings = "--onnx-exclude-outputs",
     .help = "Take these names off the model's outputs; wildcards may be used.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME"},
    {.spellings = "--onnx-outputs-by-type",
     .help =
         "Make every output of nodes of these operators an output of the model, such as Conv Gemm.",
     .arity = Arity::kOneOrMore,
     .metavar = "OP"},
    {.spellings = "--fp-to-fp16", .arity = Arity::kFlag, .support = Support::kLater},
};

std::vector<std::string> optional_list(const ParsedArgs& args, std::string_view key) {
  return args.syntax().find(key) ? args.list(key) : std::vector<std::string>{};
}

}  // namespace

constinit const ArgGroup args_onnx_loading = {
    .title = "ONNX Model Loading",
    .summary = "How the model file is read, and its outputs.",
    .options = kOptions};

ModelSource resolve_model_source(const ParsedArgs& args, const Environment& env,
                                 const std::string& path) {
  ModelSource source;
  source.path = path;
  if (const auto folder = args.text("--external-data-dir"))
    source.external_data_dir = env.path(*folder);
  source.ignore_external_data = args.has("--ignore-external-data");
  source.outputs = optional_list(args, "--onnx-outputs");
  source.exclude_outputs = optional_list(args, "--onnx-exclude-outputs");
  source.outputs_by_type = optional_list(args, "--onnx-outputs-by-type");
  source.shape_inference = args.has("--shape-inference");
  return source;
}

}  // namespace polygraphy::cli
