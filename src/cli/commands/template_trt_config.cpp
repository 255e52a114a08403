// `polygraphy template trt-config`.
#include "cli/args/model.h"
#include "cli/scripts/run_script.h"
#include "cli/scripts/template_script.h"
#include "cli/scripts/trt_script.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/model_tools/codegen/trt_templates.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_model, "model_file --model-type --input-shapes"},
    {&args_data_loader},
    {.group = &args_engines, .heading = kTrtConfigHeading},
};

int run_command(Session& session) {
  const ParsedArgs& args = session.args();
  resolve_model(args, session.env(), session.log());  // for its warnings and errors
  const Metadata shapes = resolve_shapes(args);
  const TrtScript script = resolve_trt_script(args, shapes, session.log());
  write_template(
      session, log_modules::kTemplateTrtConfig,
      trt_config_script(script, resolve_script_inputs(args, shapes), session.command_line()));
  return 0;
}

}  // namespace

extern constinit const Command command_template_trt_config = {
    .path = "template trt-config",
    .summary = "Write a script that configures a TensorRT builder.",
    .description =
        "Write a Python script with a function load_config() that starts from a configuration "
        "with the given options, and leaves a place for edits. It needs the original's "
        "polygraphy package and TensorRT; this command needs neither.",
    .examples =
        "polygraphy template trt-config --fp16 -o config.py\n"
        "polygraphy template trt-config --int8 --input-shapes x:[1,3] -o config.py",
    .order = 1,
    .groups = kGroups,
    .options = kTemplateOptions,
    .run = run_command,
};

}  // namespace polygraphy::cli
