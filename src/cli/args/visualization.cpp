#include "cli/args/visualization.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr int kDefaultPort = 8000;
constexpr int64_t kDefaultDepth = 2;

constexpr Option kOptions[] = {
    {.spellings = "--visual",
     .help = "Show the graph in a browser instead of printing text: a page on 127.0.0.1, until "
             "Ctrl-C.",
     .arity = Arity::kFlag},
    {.spellings = "--visual-port",
     .help = "Port of the page. 0: any free port. Default: 8000.",
     .type = ValueType::kInt,
     .needs = "--visual"},
    {.spellings = "--save-visual",
     .help = "With --visual: write the page to this file instead. It needs no network. FILE.svg: a "
             "static picture of the graph instead of the page.",
     .files = FileUse::kWritten,
     .needs = "--visual"},
    {.spellings = "--visual-around",
     .help = "With --visual: show only the neighbourhood of this node or tensor.",
     .metavar = "NAME",
     .origin = Origin::kOurs,
     .needs = "--visual"},
    {.spellings = "--visual-depth",
     .help = "With --visual-around: maximum distance in edges. Default: 2.",
     .type = ValueType::kInt,
     .metavar = "EDGES",
     .origin = Origin::kOurs,
     .needs = "--visual-around"},
};

// Any other name is that of the page.
void refuse_other_pictures(const std::string& name) {
  constexpr std::string_view kOthers[] = {".png",  ".jpg", ".jpeg", ".gif", ".webp", ".bmp",
                                          ".tiff", ".pdf", ".ps",   ".eps", ".dot"};
  const std::string lower = to_lower(name);
  for (const std::string_view other : kOthers) {
    if (!lower.ends_with(other)) continue;
    throw Error("--save-visual " + name + ": unknown form " + std::string(other) + " of the graph",
                "Name it FILE.html for the page, or FILE.svg for a static picture.");
  }
}

}  // namespace

extern constinit const ArgGroup args_visualization = {
    .title = "Visualization", .summary = "The graph in a browser.", .options = kOptions};

std::optional<VisualizationArgs> resolve_visualization(const ParsedArgs& args,
                                                       const Environment& env) {
  const auto saved = args.text("--save-visual");
  if (!args.has("--visual")) return std::nullopt;
  VisualizationArgs result;
  constexpr int64_t kLimit = std::numeric_limits<int>::max();
  const int64_t port = args.integer("--visual-port").value_or(kDefaultPort);
  result.port = static_cast<int>(std::clamp(port, -kLimit, kLimit));
  if (saved) {
    refuse_other_pictures(*saved);
    result.save_path = env.path(*saved);
  }
  result.around = args.text("--visual-around");
  const int64_t depth = args.integer("--visual-depth").value_or(kDefaultDepth);
  if (depth < 0) {
    throw Error("--visual-depth must not be negative, but was: " + std::to_string(depth),
                "Give a number of edges: 0 shows the node alone.");
  }
  result.depth = static_cast<size_t>(depth);
  return result;
}

}  // namespace polygraphy::cli
