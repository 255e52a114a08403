// Takes away nodes of the main graph that depend on inputs, wherever they are: delta debugging.
#include <string>

#include "polygraphy/reduce/cut.h"
#include "polygraphy/reduce/delta_debugging.h"
#include "polygraphy/reduce/describe.h"
#include "polygraphy/reduce/keep.h"
#include "polygraphy/reduce/shrinker.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;

std::unique_ptr<Model> shrink(const Model& model, ShrinkTools& tools) {
  const std::vector<size_t> steps = reduction_steps(model);
  const auto keep = [&](const Part& part) {
    std::vector<size_t> positions;
    for (const size_t index : part) positions.push_back(steps[index]);
    Model kept = keep_nodes(model, steps, positions);
    describe_interface(kept, tools.recordings, tools.log);
    return kept;
  };
  Part whole(steps.size());
  for (size_t i = 0; i < whole.size(); ++i) whole[i] = i;
  const Part part = smallest_failing_part(whole, [&](const Part& asked) {
    return tools.oracle.fails({.key = to_text(asked),
                               .about = "Keeping " + std::to_string(asked.size()) + " of " +
                                        std::to_string(steps.size()) +
                                        " nodes that depend on inputs",
                               .candidate = [&keep, asked] { return keep(asked); }});
  });
  return part.size() < whole.size() ? std::make_unique<Model>(keep(part)) : nullptr;
}

}  // namespace

extern const Shrinker shrinker_nodes;
constinit const Shrinker shrinker_nodes = {
    .name = "nodes", .phrase = "Taking nodes away", .order = 10, .shrink = shrink};

}  // namespace polygraphy
