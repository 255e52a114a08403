// `polygraphy surgeon prune`.
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/jobs/surgeon_command.h"
#include "cli/syntax/command.h"
#include "polygraphy/model_tools/surgeon/prune.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_onnx_saving, kSavingOptions},
};

int run_command(Session& session) {
  const SurgeryFiles files = resolve_surgery(session);
  session.announce();
  return finish(session, prune({files}, session.log()));
}

}  // namespace

extern constinit const Command command_surgeon_prune = {
    .path = "surgeon prune",
    .summary = "Force 2:4 structured sparsity on the weights.",
    .description =
        "Set the two values of least magnitude of every four neighbours in the weights of matrix "
        "products and convolutions to zero. This is for testing sparse kernels: the model's "
        "accuracy is lost.",
    .examples =
        "polygraphy surgeon prune model.onnx -o sparse.onnx\n"
        "polygraphy surgeon prune model.onnx -o sparse.onnx --save-external-data sparse.data",
    .order = 3,
    .groups = kGroups,
    .announces = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
