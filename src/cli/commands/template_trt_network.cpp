// `polygraphy template trt-network`.
#include <optional>

#include "cli/args/model.h"
#include "cli/scripts/template_script.h"
#include "cli/scripts/tf_script.h"
#include "cli/scripts/trt_script.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/model_tools/codegen/trt_templates.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"

namespace polygraphy::cli {

namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_model, "model_file --model-type"},
    {.group = &args_engines, .only = "--ckpt --tf-outputs --freeze-graph --opset"},
    {&args_onnx_loading,
     "--external-data-dir --ignore-external-data --onnx-outputs --onnx-exclude-outputs "
     "--onnx-outputs-by-type --fp-to-fp16"},
    {.group = &args_engines, .heading = kTrtParserHeading},
    {.group = &args_engines, .heading = kTrtNetworkHeading},
};

int run_command(Session& session) {
  const ParsedArgs& args = session.args();
  const ModelSource model = resolve_model(args, session.env(), session.log());
  TrtScript script = resolve_trt_script(args, {}, session.log());
  std::optional<OnnxLoaderOptions> onnx;
  if (model.format == "trt-network-script") {
    script.network.script = parse_script_symbol(model.path, kNetworkFunction);
  } else {
    require_onnx_in_script(model);
  }
  if (!model.path.empty()) {
    onnx.emplace().source = model;
    onnx->tensorflow = resolve_tf_script(args, model);
    onnx->external_data_dir = args.text("--external-data-dir").value_or("");
  }
  write_template(session, log_modules::kTemplateTrtNetwork,
                 trt_network_script(onnx, script, session.command_line()));
  return 0;
}

}  // namespace

extern constinit const Command command_template_trt_network = {
    .path = "template trt-network",
    .summary = "Write a script that creates a TensorRT network.",
    .description =
        "Write a Python script with a function load_network() that starts from the model's "
        "network, or from an empty one, and leaves a place for edits. It needs the original's "
        "polygraphy package and TensorRT; this command needs neither.",
    .examples =
        "polygraphy template trt-network model.onnx -o network.py\n"
        "polygraphy template trt-network -o network.py",
    .order = 0,
    .groups = kGroups,
    .options = kTemplateOptions,
    .run = run_command,
};

}  // namespace polygraphy::cli
