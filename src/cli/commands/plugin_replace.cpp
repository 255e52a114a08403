// `polygraphy plugin replace`.
#include <memory>

#include "cli/args/plugins.h"
#include "cli/jobs/plugin_job.h"
#include "cli/session/user_interpreter.h"
#include "cli/syntax/command.h"
#include "polygraphy/models/loaders/save_onnx.h"
#include "polygraphy/models/plugin_patterns/replace_plugins.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, kPluginModelOptions},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading, kPluginLoadingOptions},
    {&args_data_loader, kPluginInputOptions},
    {&args_plugins, "--plugin-dir"},
};

constexpr Option kOptions[] = {
    {.spellings = "-o --output",
     .help = "Write the model to this file. Default: replaced.onnx beside the model.",
     .files = FileUse::kWritten,
     .metavar = "FILE"},
    {.spellings = "--config",
     .help = "Subgraphs to replace: the YAML file written by `polygraphy plugin match`. Default: "
             "config.yaml beside the model.",
     .files = FileUse::kRead,
     .metavar = "FILE"},
};

int run_command(Session& session) {
  const PluginJob job = resolve_plugin_job(session);
  const MatchOptions& match = job.match;
  const NamedFile config = file_of_job(session, job, "--config", "config.yaml");
  const NamedFile output = output_of_job(session, job, "--output", "replaced.onnx");
  const ReplaceOptions options{
      .model = match.model, .plugin_folder = match.patterns.folder, .packages = match.packages};
  auto model = replace_plugins(
      options, read_config_file(config.path), config.path,
      [&] { return make_user_python(session.env(), session.log()); }, session.log());
  OnnxSaving saving{.typed = output.typed, .path = output.path};
  if (match.model.ignore_external_data) {
    saving.options.share_external_data = true;
    saving.options.keep_references = true;
  }
  save_onnx(*model, saving, session.log());
  session.discard(std::move(model));
  return 0;
}

}  // namespace

extern constinit const Command command_plugin_replace = {
    .path = "plugin replace",
    .summary = "Replace subgraphs of a model by nodes of plugins.",
    .description =
        "Replace the subgraphs of a configuration by nodes of plugins: with the function "
        "replace_with_plugin() of a plugin's pattern.py if it exists, else with one node that has "
        "the inputs, outputs and attributes of the configuration.",
    .examples =
        "polygraphy plugin replace model.onnx --plugin-dir plugins -o replaced.onnx\n"
        "polygraphy plugin replace model.onnx --plugin-dir plugins --config config.yaml -o "
        "replaced.onnx",
    .order = 2,
    .groups = kGroups,
    .options = kOptions,
    .is_outside = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
