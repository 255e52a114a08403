// `polygraphy surgeon weight-strip`.
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/jobs/surgeon_command.h"
#include "cli/syntax/command.h"
#include "polygraphy/model_tools/surgeon/weight_strip.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_onnx_saving, kSavingOptions},
};

constexpr Option kOptions[] = {
    {.spellings = "--exclude-list",
     .help = "Text file with names of initializers to keep, one per line.",
     .files = FileUse::kRead},
};

int run_command(Session& session) {
  WeightStripOptions options{resolve_surgery(session)};
  if (const auto list = session.args().text("--exclude-list")) {
    options.exclude = read_name_list(session.env().path(*list));
  }
  session.announce();
  return finish(session, weight_strip(options, session.log()));
}

}  // namespace

extern constinit const Command command_surgeon_weight_strip = {
    .path = "surgeon weight-strip",
    .summary = "Remove the values of the weights.",
    .description =
        "Remove the values of a model's weights and keep its structure. `surgeon "
        "weight-reconstruct` fills the weights with random values. Fold the model's constants "
        "first, so that all weights are found.",
    .examples =
        "polygraphy surgeon weight-strip model.onnx -o stripped.onnx\n"
        "polygraphy surgeon weight-strip model.onnx -o stripped.onnx --exclude-list keep.txt",
    .order = 4,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
