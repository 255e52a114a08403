#include "polygraphy/model_tools/visual/visual_ids.h"

#include <array>

namespace polygraphy {

void number_nodes(VisualModel& model) {
  constexpr std::array<std::string_view, 4> kPrefixes = {"node_", "input_", "output_", "capture_"};
  for (size_t g = 0; g < model.graphs.size(); ++g) {
    const std::string graph = g == 0 ? "" : "graph_" + std::to_string(g) + "/";
    std::array<size_t, kPrefixes.size()> counts = {};
    for (VisualNode& node : model.graphs[g].nodes) {
      const auto kind = static_cast<size_t>(node.kind);
      node.id = graph + std::string(kPrefixes[kind]) + std::to_string(counts[kind]++);
    }
  }
}

}  // namespace polygraphy
