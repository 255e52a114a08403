#include "cli/args/onnx_saving.h"

#include "base/error.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/value_parsing.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kDestinationHelp =
    "Write the model to this file, which may be the input file. '-' is standard output; messages "
    "then go to standard error.";

constexpr Option kOptions[] = {
    {.spellings = "--save-onnx",
     .help = "Also save the model as run: with its outputs, shapes and types.",
     .files = FileUse::kWritten,
     .may_be = "model_file"},
    {.spellings = "-o --output",
     .help = kDestinationHelp,
     .files = FileUse::kWritten,
     .may_be = "model_file",
     .required = true},
    {.spellings = "--save-external-data --external-data-path",
     .help = "Store tensors outside the model, in a file of this name beside it. Without a name: "
             "MODEL.data.",
     .arity = Arity::kOptional,
     .files = FileUse::kWrittenBeside,
     .metavar = "NAME",
     .needs = "--save-onnx",
     .appends = true},
    {.spellings = "--external-data-size-threshold",
     .help = "With --save-external-data: keep tensors smaller than this in the model, such as "
             "4096, 16K or 1.5M. Default: 1024.",
     .metavar = "BYTES"},
    {.spellings = "--no-save-all-tensors-to-one-file",
     .help = "With --save-external-data: write one file per tensor.",
     .arity = Arity::kFlag,
     .needs = "--save-external-data --hint --parallelism=TP"},  // TP always writes data files
    {.spellings = "--share-external-data",
     .help = "Refer to the data files of the input model instead of copying the weights. The "
             "result must be written to the same folder or a parent folder.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs,
     .needs = "--save-onnx"},
};

std::string destination_key(const ParsedArgs& args) {
  return args.syntax().find("--save-onnx") ? "--save-onnx" : "--output";
}

}  // namespace

// Commands pick from it: `run` calls the destination --save-onnx, the others --output.
extern constinit const ArgGroup args_onnx_saving = {
    .title = "ONNX Model Saving",
    .summary = "Files of the model and its weights.",
    .options = kOptions};

OnnxSaving resolve_onnx_saving(const ParsedArgs& args, const Environment& env) {
  OnnxSaving saving;
  saving.typed = args.text(destination_key(args)).value_or("");
  saving.path = env.path(saving.typed);
  const auto uses = args.all("--save-external-data");
  if (!uses.empty()) {
    // As in the original, only the first use counts.
    saving.options.external_data = uses.front().empty() ? std::string() : uses.front().front();
  }
  if (const auto threshold = args.text("--external-data-size-threshold")) {
    saving.options.external_data_threshold = parse_bytes(*threshold);
    saving.unused_threshold = uses.empty();
  }
  saving.options.one_file = !args.has("--no-save-all-tensors-to-one-file");
  saving.unused_split = !saving.options.one_file && uses.empty();
  constexpr std::string_view kShare = "--share-external-data";
  saving.options.share_external_data = args.syntax().find(kShare) && args.has(kShare);
  if (saving.options.share_external_data && saving.options.external_data) {
    throw Error("--share-external-data and --save-external-data exclude each other",
                "The first refers to the existing data files, the second writes new ones.");
  }
  return saving;
}

}  // namespace polygraphy::cli
