// `polygraphy inspect capability`.
#include "polygraphy/runtimes/compiled/inspect_capability.h"

#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/jobs/engine_job.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file"},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_onnx_saving,
     "--save-external-data --external-data-size-threshold --no-save-all-tensors-to-one-file"},
    {&args_engines, "--plugins --onnx-flags --plugin-instancenorm --trt-lib --trt-driver"},
    {&args_isolation, "--timeout"},
    {&args_backend_path},
};

constexpr Option kOptions[] = {
    {.spellings = "-o --output",
     .help = "Folder for results.txt and, with --with-partitioning, for the parts. Default: "
             "polygraphy_capability_dumps.",
     .type = ValueType::kFolder,
     .files = FileUse::kWritten,
     .folder_files = "results.txt"},
    {.spellings = "--with-partitioning",
     .help = "Also save the supported and the unsupported parts as separate models.",
     .arity = Arity::kFlag},
};

int run_command(Session& session) {
  const ParsedArgs& args = session.args();
  const ModelSource model = resolve_model(args, session.env(), session.log());
  require_onnx(model);
  inspect_capability(
      {.job = resolve_engine_job(session, model),
       .partition = args.has("--with-partitioning"),
       .folder = session.env().path(args.text("--output").value_or("polygraphy_capability_dumps")),
       .saving = resolve_onnx_saving(args, session.env())},
      session.log());
  return 0;
}

}  // namespace

extern constinit const Command command_inspect_capability = {
    .path = "inspect capability",
    .summary = "Show the parts of a model that TensorRT supports.",
    .description =
        "Show the nodes of an ONNX model that TensorRT does not support, with the reasons, and "
        "split the model into supported and unsupported parts.",
    .examples =
        "polygraphy inspect capability model.onnx\n"
        "polygraphy inspect capability model.onnx --with-partitioning -o parts",
    .order = 3,
    .groups = kGroups,
    .options = kOptions,
    .run = run_command,
};

}  // namespace polygraphy::cli
