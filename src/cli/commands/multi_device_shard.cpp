// `polygraphy multi-device shard`.
#include <string>
#include <string_view>

#include "base/log_modules.h"
#include "base/text.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/args/sharding.h"
#include "cli/jobs/surgeon_command.h"
#include "cli/syntax/command.h"
#include "cli/syntax/parser.h"
#include "polygraphy/models/sharding/shard_job.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file"},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_onnx_saving, kSavingOptions},
    {&args_sharding},
};

constexpr uint8_t kSourceOfHints = 31;
constexpr Option kOptions[] = {
    {.spellings = "-s --hint",
     .help = "Sharding hints, as template shard-hints writes them. - is standard input.",
     .files = FileUse::kRead,
     .metavar = "HINT_FILE",
     .exclusive = kSourceOfHints},
    {.spellings = "--one-shot",
     .help = "Derive the hints like template shard-hints, with the options below, instead of "
             "reading a file.",
     .arity = Arity::kFlag,
     .exclusive = kSourceOfHints},
    {.spellings = "--keep-output-names",
     .help = "Keep the names of gathered outputs. Default: shard_N.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
};

// A file of hints has what the other options say.
void warn_of_options_of_hints(const ParsedArgs& args, Logger& log) {
  if (!args.has("--hint")) return;
  for (const Option& option : args_sharding.options) {
    const std::string_view key = split(option.spellings, ' ').front();
    if (key == "--attention-pattern" || !args.has(key)) continue;
    log.warning(log_modules::kShard, "Option: " + std::string(key) +
                                         " has no effect with --hint: the hints contain it.");
  }
}

int run_command(Session& session) {
  const ParsedArgs& args = session.args();
  if (!args.has("--hint") && !args.has("--one-shot")) {
    throw UsageError("polygraphy multi-device shard",
                     "one of the arguments -s/--hint --one-shot is required");
  }
  warn_of_options_of_hints(args, session.log());
  const SurgeryFiles files = resolve_surgery(session);
  ShardJob job;
  job.model = files.model;
  job.output = files.output;
  job.suggest = resolve_hint_options(args);
  job.keep_output_names = args.has("--keep-output-names");
  if (const auto hints = args.text("--hint")) {
    job.hints_shown = *hints;
    job.hints_path = *hints == "-" ? *hints : session.env().path(*hints);
  }
  const std::shared_ptr<const ScratchFolder> copy = file_of_pipe(job.model.path);
  shard(job, session.log());
  return 0;
}

}  // namespace

extern constinit const Command command_multi_device_shard = {
    .path = "multi-device shard",
    .summary = "Insert collectives, so that several devices compute a model together.",
    .description =
        "Convert a model for one device to several devices: scatter inputs, gather keys and values "
        "in attention layers, and gather outputs (CP, one model for all devices), or split weights "
        "(TP, one model per device: OUTPUT_tpN_rankI.onnx).",
    .examples =
        "polygraphy multi-device shard model.onnx --hint hints.json -o sharded.onnx\n"
        "polygraphy multi-device shard model.onnx --one-shot --parallelism TP --nb-rank 2 -o "
        "sharded.onnx",
    .order = 0,
    .groups = kGroups,
    .options = kOptions,
    .run = run_command,
};

}  // namespace polygraphy::cli
