#include "cli/args/visualization.h"

#include <algorithm>
#include <limits>

#include "base/log_modules.h"

namespace polygraphy::cli {
namespace {

constexpr int kDefaultPort = 8000;

constexpr Option kOptions[] = {
    {.spellings = "--visual",
     .help = "Show the graph in a browser instead of printing text: a page on 127.0.0.1, until "
             "Ctrl-C.",
     .arity = Arity::kFlag},
    {.spellings = "--visual-port",
     .help = "The port of the page. 0: any that is free. Default: 8000.",
     .type = ValueType::kInt},
    {.spellings = "--save-visual",
     .help = "With --visual: write the page to this file instead. It needs no network.",
     .type = ValueType::kPath,
     .files = FileUse::kWritten},
};

}  // namespace

constinit const ArgGroup args_visualization = {
    .title = "Visualization", .summary = "The graph in a browser.", .options = kOptions};

std::optional<VisualizationArgs> resolve_visualization(const ParsedArgs& args,
                                                       const Environment& env, Logger& log) {
  const auto saved = args.text("--save-visual");
  if (!args.has("--visual")) {
    if (saved) {
      log.warning(log_modules::kInspectModel,
                  "--save-visual has no effect without --visual: nothing is written to " + *saved);
    }
    return std::nullopt;
  }
  VisualizationArgs result;
  constexpr int64_t kLimit = std::numeric_limits<int>::max();
  const int64_t port = args.integer("--visual-port").value_or(kDefaultPort);
  result.port = static_cast<int>(std::clamp(port, -kLimit, kLimit));
  if (saved) result.save_path = env.path(*saved);
  return result;
}

}  // namespace polygraphy::cli
