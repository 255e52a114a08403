// `polygraphy template shard-hints`.
#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/sharding.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_sharding},
};

constexpr Option kOptions[] = {
    {.spellings = "-o --output",
     .help = "Write the hints to this file, named *.json.",
     .files = FileUse::kWritten,
     .required = true},
};

int run_command(Session& session) {
  const ParsedArgs& args = session.args();
  const ModelSource model = resolve_model(args, session.env(), session.log());
  const HintOptions options = resolve_hint_options(args);
  const std::string output = *args.text("--output");
  if (!output.ends_with(".json")) {
    throw Error("Output file must be a json\nThe name '" + output + "' does not end in .json.",
                "Name it " + output + ".json, for example.");
  }
  auto loaded = load_onnx(model, session.log());
  const ShardHints hints = suggest_shard_hints(*loaded, options, session.log());
  session.log().info(log_modules::kSerde, "Saving shard hints to " + output);
  write_file(session.env().path(output), to_json(hints));
  session.discard(std::move(loaded));
  return 0;
}

}  // namespace

extern constinit const Command command_template_shard_hints = {
    .path = "template shard-hints",
    .summary = "Write hints for sharding a model across devices.",
    .description =
        "Find the attention layers of a model, and the inputs and outputs with their sequence, and "
        "write them as hints for multi-device shard.",
    .examples =
        "polygraphy template shard-hints model.onnx -o hints.json\n"
        "polygraphy template shard-hints model.onnx --parallelism TP --nb-rank 2 -o hints.json",
    .order = 3,
    .groups = kGroups,
    .options = kOptions,
    .run = run_command,
};

}  // namespace polygraphy::cli
