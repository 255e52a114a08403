// `polygraphy plugin list`.
#include "cli/args/plugins.h"
#include "cli/jobs/plugin_job.h"
#include "cli/session/user_interpreter.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, kPluginModelOptions},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading, kPluginLoadingOptions},
    {&args_data_loader, kPluginInputOptions},
    {&args_plugins},
};

int run_command(Session& session) {
  const MatchOptions options = resolve_plugin_job(session).match;
  match_plugins(options, make_user_python(session.env(), session.log()), session.log());
  return 0;
}

}  // namespace

extern constinit const Command command_plugin_list = {
    .path = "plugin list",
    .summary = "Count the subgraphs of a model that each plugin can replace.",
    .description =
        "Match the pattern of each plugin against a model, and print the number of subgraphs that "
        "the plugin can replace. It writes no files.",
    .examples =
        "polygraphy plugin list model.onnx --plugin-dir plugins\n"
        "polygraphy plugin list model.onnx --plugin-dir plugins --exclude Relu",
    .order = 1,
    .groups = kGroups,
    .is_outside = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
