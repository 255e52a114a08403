// Calls of local functions become the functions' nodes, which can be taken away one by one.

#include <string>
#include <utility>
#include <vector>

#include "base/silent_log.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "polygraphy/diagnosis/reduce/intermediates/describe.h"
#include "polygraphy/diagnosis/reduce/node_search.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"
#include "polygraphy/models/candidates/inline_calls.h"
#include "polygraphy/models/candidates/prune_unused.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;

constexpr int kDeepest = 100;  // of calls in functions that are called

// Of the functions that are no more.
void drop_unused_imports(Model& model) {
  const auto is_used = [&](const graphsurgeon::OpsetImport& import) {
    if (graphsurgeon::is_default_domain(import.domain)) return true;
    for (const Graph* graph : graphsurgeon::all_graphs(model)) {
      for (const auto& node : graph->nodes()) {
        if (node->domain() == import.domain) return true;
      }
    }
    return false;
  };
  std::erase_if(model.opset_imports, [&](const auto& import) { return !is_used(import); });
}

Model without(const Model& model, const std::vector<Call>& calls, CandidateTools& tools) {
  Model candidate = graphsurgeon::copy(model);
  inline_calls(candidate, calls);
  // A tensor of the function may become an input next.
  graphsurgeon::infer_shapes(candidate, {}, log_or_silence(nullptr));
  keep_unread(candidate);
  prune_unused(candidate);
  drop_unused_imports(candidate);
  describe_interface(candidate, tools.intermediates, tools.log);
  return candidate;
}

// All calls at once, else one of them.
std::unique_ptr<Model> inline_some(const Model& model, SearchTools& tools) {
  const std::vector<Call> all = calls_in(model);
  std::vector<std::vector<Call>> tries;
  if (!all.empty()) tries.push_back(all);
  if (all.size() > 1) {
    for (const Call& call : all) tries.push_back({call});
  }
  const auto candidate = [&](const std::vector<Call>& calls) -> Candidate {
    return {
        .about = "Inlining the functions of " + std::to_string(calls.size()) + " of " +
                 std::to_string(all.size()) + " calls",
        .make = [&model, calls](CandidateTools& making) { return without(model, calls, making); }};
  };
  const auto found = tools.test.first_failing(
      made_of<Candidate, std::vector<Call>>(in_order(std::move(tries)), candidate));
  return found ? std::make_unique<Model>(*found->candidate.make(tools)) : nullptr;
}

std::unique_ptr<Model> shrink_model(const Model& model, SearchTools& tools) {
  std::unique_ptr<Model> result;
  for (int depth = 0; depth < kDeepest; ++depth) {
    auto found = inline_some(result ? *result : model, tools);
    if (!found) break;
    result = std::move(found);
    if (auto fewer = fewest_nodes(*result, tools)) result = std::move(fewer);
  }
  return result;
}

}  // namespace

extern constinit const Shrinker shrinker_functions = {
    .name = "functions", .phrase = "Inlining functions", .order = 30, .shrink = shrink_model};

}  // namespace polygraphy
