// `polygraphy inspect model`.
#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "cli/args/engines.h"
#include "cli/args/logging.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_shape_inference.h"
#include "cli/engine_job.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "cli/unsupported_options.h"
#include "polygraphy/engines/combine_tensor_info.h"
#include "polygraphy/engines/engine_text.h"
#include "polygraphy/engines/network_text.h"
#include "polygraphy/inspect/inspect_model.h"

namespace polygraphy::cli {

extern const ArgGroup args_tensorflow;

namespace {

constexpr std::string_view kEngineFormat = "engine";

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file --model-type"},
    {&args_tensorflow, "--ckpt --freeze-graph"},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_engines,
     "--plugins --layer-precisions --decomposable-attentions --tensor-dtypes --all-tensor-dtypes "
     "--tensor-formats --all-tensor-formats --trt-network-postprocess-script "
     "--trt-network-func-name --strongly-typed --mark-debug "
     "--mark-unfused-tensors-as-debug-tensors --save-timing-cache --load-runtime "
     "--dla-workspace-allocation-strategy --onnx-flags --plugin-instancenorm "
     "--enable-uint8-asymmetric-quantization-dla --trt-lib --trt-driver"},
};

constexpr Option kOptions[] = {
    {.spellings = "--visual", .arity = Arity::kFlag, .support = Support::kLater},
    {.spellings = "--visual-port", .type = ValueType::kInt, .support = Support::kLater},
    {.spellings = "--save-visual", .type = ValueType::kPath, .support = Support::kLater},
    {.spellings = "--convert-to --display-as",
     .help = "Show the network that TensorRT makes of the model.",
     .choices = "trt"},
    {.spellings = "--show",
     .help = "What to show besides inputs and outputs: layers (nodes and their tensors), attrs "
             "(with layers: their attributes), weights (values).",
     .arity = Arity::kOneOrMore,
     .choices = "layers attrs weights"},
    {.spellings = "--list-unbounded-dds",
     .help = "Also list the tensors whose size depends on data and has no upper bound.",
     .arity = Arity::kFlag},
    {.spellings = "--combine-tensor-info",
     .help =
         "Of an engine, with --show layers: also the range and mean of the tensors in this file "
         "of saved outputs (`run --mark-unfused-tensors-as-debug-tensors --save-outputs FILE`).",
     .type = ValueType::kPath,
     .files = FileUse::kRead},
};

int run(Session& session) {
  const ParsedArgs& args = session.args();
  check_for_unsupported_options(args, session.log());
  const ModelArgs model_args = resolve_model(args, session.env(), session.log());
  const auto show = args.list("--show");
  const auto shows = [&](std::string_view what) {
    return std::find(show.begin(), show.end(), what) != show.end();
  };
  if (model_args.type == kEngineFormat) {
    EngineDescription engine =
        describe_engine(resolve_engine_job(session, model_args), session.log());
    if (const auto saved = args.text("--combine-tensor-info"); saved && shows("layers"))
      combine_tensor_info(engine, session.env().path(*saved), session.log());
    session.log().info(log_modules::kInspectModel,
                       engine_text(engine, {.layers = shows("layers"), .attrs = shows("attrs")}));
    return 0;
  }
  require_onnx(model_args);
  if (args.has("--convert-to")) {
    const NetworkTextOptions wanted{shows("layers"), shows("attrs"), shows("weights")};
    const NetworkDescription network =
        describe_network(resolve_engine_job(session, model_args), session.log(),
                         wanted.layers && wanted.attrs && wanted.weights);
    session.log().info(log_modules::kInspectModel, network_text(network, wanted));
    return 0;
  }
  const ModelSource source = resolve_model_source(args, session.env(), model_args.path);
  InspectModelOptions options;
  options.show = {shows("layers"), shows("attrs"), shows("weights")};
  options.unbounded_sizes = args.has("--list-unbounded-dds");
  auto model = inspect_model(source, options, session.log());
  session.discard(std::make_unique<decltype(model)>(std::move(model)));
  return 0;
}

}  // namespace

extern const Command command_inspect_model;
constinit const Command command_inspect_model = {
    .path = "inspect model",
    .summary = "Show a model's inputs, outputs, layers, attributes and weights.",
    .description =
        "Show a model's inputs and outputs and, on request, its layers, their attributes and its "
        "weights.",
    .order = 0,
    .groups = kGroups,
    .options = kOptions,
    .run = run,
};

}  // namespace polygraphy::cli
