// Nodes of the main graph go: node_search.h.

#include "polygraphy/diagnosis/reduce/node_search.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"

namespace polygraphy {
namespace {

std::unique_ptr<graphsurgeon::Model> shrink_model(const graphsurgeon::Model& model,
                                                  SearchTools& tools) {
  return fewest_nodes(model, tools);
}

}  // namespace

extern constinit const Shrinker shrinker_nodes = {
    .name = "nodes", .phrase = "Removing nodes", .order = 10, .shrink = shrink_model};

}  // namespace polygraphy
