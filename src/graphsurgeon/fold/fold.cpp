#include "graphsurgeon/fold/fold.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/near_names.h"
#include "graphsurgeon/fold/budget.h"
#include "graphsurgeon/fold/evaluation.h"
#include "graphsurgeon/fold/fold_state.h"
#include "graphsurgeon/fold/rule.h"
#include "graphsurgeon/fold/sweep.h"

namespace graphsurgeon {

namespace {

void write_accepted(FoldState& state) {
  std::unordered_map<const Graph*, std::unordered_map<const Node*, std::vector<NodeRef>>> before;
  for (FoldEntry& entry : state.entries) {
    if (entry.fate != FoldEntry::Fate::kAccepted || entry.values.empty()) continue;
    if (!state.may_rewrite()) break;
    const FoldRule& rule = entry.rule ? *entry.rule : evaluation_rule();
    std::vector<NodeRef> constants =
        state.write(*entry.scope, *entry.node, entry.values, rule.name);
    if (!constants.empty()) before[entry.scope->graph][entry.node.get()] = std::move(constants);
  }
  for (const FoldScope& scope : state.scopes) {
    const auto found = before.find(scope.graph);
    if (found == before.end()) continue;
    std::vector<NodeRef> nodes;
    for (const NodeRef& node : scope.graph->nodes()) {
      if (const auto added = found->second.find(node.get()); added != found->second.end()) {
        nodes.insert(nodes.end(), added->second.begin(), added->second.end());
      }
      nodes.push_back(node);
    }
    scope.graph->mutable_nodes() = std::move(nodes);
  }
}

}  // namespace

const FoldRule& evaluation_rule() {
  const auto rules = fold_rules();
  return **std::find_if(rules.begin(), rules.end(),
                        [](const FoldRule* rule) { return rule->phase == FoldPhase::kEvaluation; });
}

std::vector<std::string_view> fold_rule_names() {
  std::vector<std::string_view> names;
  for (const FoldRule* rule : fold_rules()) names.push_back(rule->name);
  return names;
}

void check_rule_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto rules = fold_rules();
    if (std::any_of(rules.begin(), rules.end(),
                    [&](const FoldRule* r) { return r->name == name; })) {
      continue;
    }
    std::vector<std::string_view> known;
    for (const FoldRule* rule : rules) known.push_back(rule->name);
    throw polygraphy::Error("unknown fold rule '" + name + "'",
                            polygraphy::unknown_name_hint(name, known, "Rules"));
  }
}

FoldReport fold_constants(Model& model, const FoldOptions& options, polygraphy::Logger& logger) {
  check_rule_names(options.skip_rules);
  options.cancel.check();
  FoldState state(model, options, logger);
  const int64_t before = live_constant_bytes(model);
  sweep(state);
  int64_t deferred = 0;
  const int64_t growth = choose(state, options.max_growth, deferred);
  state.report.deferred = deferred;
  evaluate(state, growth);
  write_accepted(state);
  if (!state.report.rewrites.empty()) state.report.growth = live_constant_bytes(model) - before;
  return std::move(state.report);
}

}  // namespace graphsurgeon
