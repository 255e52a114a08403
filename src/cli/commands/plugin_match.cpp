// `polygraphy plugin match`.
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
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

constexpr Option kOptions[] = {
    {.spellings = "-o --output",
     .help = "Write the configuration to this YAML file, for `polygraphy plugin replace`. Default: "
             "config.yaml beside the model.",
     .files = FileUse::kWritten,
     .metavar = "FILE"},
};

int run_command(Session& session) {
  const PluginJob job = resolve_plugin_job(session);
  const NamedFile output = output_of_job(session, job, "--output", "config.yaml");
  const FoundPlugins found =
      match_plugins(job.match, make_user_python(session.env(), session.log()), session.log());
  write_file(output.path, config_text(found.config));
  session.log().info(log_modules::kPlugin, "Matching subgraphs saved to " + output.typed);
  return 0;
}

}  // namespace

extern constinit const Command command_plugin_match = {
    .path = "plugin match",
    .summary = "Write the subgraphs of a model that plugins can replace to a configuration.",
    .description =
        "Match the pattern of each plugin against a model, and write the subgraphs that it can "
        "replace to a configuration for `polygraphy plugin replace`. Remove instances from the "
        "configuration to keep them in the model.",
    .examples =
        "polygraphy plugin match model.onnx --plugin-dir plugins -o config.yaml\n"
        "polygraphy plugin match model.onnx --plugin-dir plugins --include Relu -o config.yaml",
    .order = 0,
    .groups = kGroups,
    .options = kOptions,
    .is_outside = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
