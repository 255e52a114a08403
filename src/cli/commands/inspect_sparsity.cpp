// `polygraphy inspect sparsity`.
#include <memory>

#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/jobs/page_graphs.h"
#include "cli/jobs/report_file.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/model_tools/inspect/inspect_sparsity.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_report_forms},
};

int run_command(Session& session) {
  const ModelSource source = resolve_model(session.args(), session.env(), session.log());
  session.announce();
  return reported(session, "Sparsity", [&](ReportPage* page) {
    auto result = std::make_unique<InspectedSparsity>(inspect_sparsity(source, session.log()));
    if (page) {
      add_sections(sparsity_sections(*result), *page);
      add_graphs(session, {source}, *page);
    }
    session.discard(std::move(result));
    return 0;
  });
}

}  // namespace

extern constinit const Command command_inspect_sparsity = {
    .path = "inspect sparsity",
    .summary = "Find weights with 2:4 structured sparsity.",
    .description =
        "Report for each weight of a matrix product or convolution whether two of every four "
        "neighbours are zero (2:4 structured sparsity).",
    .examples =
        "polygraphy inspect sparsity model.onnx\n"
        "polygraphy inspect sparsity model.onnx -v",
    .order = 5,
    .groups = kGroups,
    .announces = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
