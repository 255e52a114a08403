// `polygraphy template onnx-gs`.
#include "cli/args/model.h"
#include "cli/scripts/template_script.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/model_tools/codegen/onnx_gs_script.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file --input-shapes"},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading,
     "--external-data-dir --ignore-external-data --onnx-outputs --onnx-exclude-outputs "
     "--onnx-outputs-by-type --fp-to-fp16"},
};

int run_command(Session& session) {
  const ParsedArgs& args = session.args();
  OnnxLoaderOptions options;
  options.source = resolve_model(args, session.env(), session.log());
  options.external_data_dir = args.text("--external-data-dir").value_or("");
  options.allow_onnxruntime = !args.has("--no-onnxruntime-shape-inference");
  write_template(session, log_modules::kTemplateOnnxGs,
                 onnx_gs_script(options, session.command_line()));
  return 0;
}

}  // namespace

extern constinit const Command command_template_onnx_gs = {
    .path = "template onnx-gs",
    .summary = "Write a script that loads a model, edits it and saves it.",
    .description =
        "Write a Python script that loads a model into ONNX-GraphSurgeon with the given options, "
        "leaves a place for edits, and saves MODEL_updated.onnx. It needs the original's "
        "polygraphy and onnx_graphsurgeon packages.",
    .examples =
        "polygraphy template onnx-gs model.onnx -o edit.py\n"
        "polygraphy template onnx-gs model.onnx --shape-inference -o edit.py",
    .order = 2,
    .groups = kGroups,
    .options = kTemplateOptions,
    .run = run_command,
};

}  // namespace polygraphy::cli
