#include "polygraphy/models/sharding/unique_node_names.h"

#include <string>
#include <unordered_set>

#include "base/log_modules.h"

namespace polygraphy {

void make_node_names_unique(graphsurgeon::Model& model, Logger& log) {
  std::unordered_set<std::string> taken;
  for (const auto& node : model.graph->nodes()) taken.emplace(node->name());
  std::unordered_set<std::string> met;
  int64_t counter = 0;
  for (const auto& node : model.graph->nodes()) {
    const std::string name(node->name());
    if (met.insert(name).second) continue;
    std::string unique;
    do {
      unique = (name.empty() ? "shard_" : name + "_shard_") + std::to_string(counter++);
    } while (!taken.insert(unique).second);
    log.warning(log_modules::kShard, "Duplicate node name '" + name + "' renamed to '" + unique +
                                         "' (op=" + std::string(node->op()) + ")");
    node->set_name(unique);
  }
}

}  // namespace polygraphy
