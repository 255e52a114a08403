#include "cli/args/onnxrt_session.h"

#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--providers --execution-providers",
     .help = "Execution providers in order of priority: a full name, or a part of one in any case "
             "('cpu'). Default: cpu.",
     .arity = Arity::kOneOrMore},
    {.spellings = "--graph-optimization-level",
     .help =
         "Level of ONNX Runtime's graph rewrites: ORT_DISABLE_ALL, ORT_ENABLE_BASIC, "
         "ORT_ENABLE_EXTENDED, ORT_ENABLE_LAYOUT or ORT_ENABLE_ALL. Default: ORT_ENABLE_BASIC."},
};

}  // namespace

extern constinit const ArgGroup args_onnxrt_session = {
    .title = "ONNX-Runtime Session Creation",
    .summary = "Options of the ONNX Runtime that is installed with polygraphy.",
    .options = kOptions};

BackendOptions resolve_onnxrt_session(const ParsedArgs& args) {
  BackendOptions options;
  if (args.has("--providers")) options.emplace_back("providers", args.list("--providers"));
  if (args.has("--graph-optimization-level")) {
    options.emplace_back("graph_optimization_level", args.list("--graph-optimization-level"));
  }
  return options;
}

}  // namespace polygraphy::cli
