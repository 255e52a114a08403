#include "graphsurgeon/fold/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/size_text.h"
#include "graphsurgeon/fold/cloner.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/nested_graphs.h"

namespace graphsurgeon {
namespace {

// The part of a model that the evaluator computes, as a separate model.
struct Region {
  Model model;
  // Constants of more than a few bytes are inputs, and come as views.
  std::vector<std::pair<std::string, Array>> feeds;
  // The outputs of the model: entry and number of the node's output.
  std::vector<std::pair<int32_t, size_t>> outputs;
};

// Runtimes want axes, shapes and the like as part of the model.
constexpr int64_t kPartOfModel = 1024;
// The first IR version with functions.
constexpr int64_t kIrVersion = 8;

class UniqueNames {
 public:
  std::string operator()(std::string_view wanted) {
    std::string name(wanted.empty() ? "_" : wanted);
    if (names_.insert(name).second) return name;
    int& number = numbers_[name];
    std::string numbered;
    do {
      numbered = name + '_' + std::to_string(++number);
    } while (!names_.insert(numbered).second);
    return numbered;
  }

 private:
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, int> numbers_;
};

// The targets and the nodes that they depend on, in the order of the sweep.
std::vector<int32_t> needed_entries(const FoldState& state, const std::vector<int32_t>& targets) {
  std::vector<int32_t> needed;
  std::unordered_set<int32_t> seen;
  std::vector<int32_t> todo = targets;
  while (!todo.empty()) {
    const int32_t i = todo.back();
    todo.pop_back();
    if (!seen.insert(i).second) continue;
    needed.push_back(i);
    for (const Tensor* input : state.entries[static_cast<size_t>(i)].inputs) {
      const auto fact = state.facts.find(input);
      if (fact != state.facts.end() && !fact->second.value) todo.push_back(fact->second.entry);
    }
  }
  std::sort(needed.begin(), needed.end());
  return needed;
}

bool calls_functions(const std::vector<int32_t>& entries, const FoldState& state) {
  const auto is_call = [](const Node& node) { return !is_default_domain(node.domain()); };
  for (const int32_t i : entries) {
    const Node& node = *state.entries[static_cast<size_t>(i)].node;
    if (is_call(node)) return true;
    for (const GraphRef& inner : node.subgraphs()) {
      for (const Graph* graph : inner_graphs_first(*inner)) {
        for (const NodeRef& n : graph->nodes()) {
          if (is_call(*n)) return true;
        }
      }
    }
  }
  return false;
}

// Everything that `targets` (entries without values; of scopes with the same opset imports) need.
// Names come from the model, numbered where graphs use them twice, so that errors of the runtime
// can be read. O(nodes and small constants in it). Throws as Payload::load().
Region make_region(const FoldState& state, const std::vector<int32_t>& targets) {
  Region region;
  Store& store = *Store::create();
  region.model.graph = Graph::create(store, "folding");
  Graph& graph = *region.model.graph;
  const std::vector<int32_t> needed = needed_entries(state, targets);
  const auto& scope = *state.entries[static_cast<size_t>(needed.front())].scope;
  region.model.ir_version = std::max(state.model.ir_version, kIrVersion);
  region.model.opset_imports = *scope.imports;
  if (calls_functions(needed, state)) region.model.functions = state.model.functions;

  UniqueNames tensor_names;
  UniqueNames node_names;
  Cloner cloner(store, std::ref(tensor_names), [&](std::string_view name) {
    return name.empty() ? std::string() : node_names(name);
  });
  std::unordered_set<const Tensor*> fed;
  for (const int32_t i : needed) {
    const FoldEntry& entry = state.entries[static_cast<size_t>(i)];
    for (const Tensor* input : entry.inputs) {
      const PayloadPtr value = state.value(*input);
      if (!value || !fed.insert(input).second) continue;
      const std::string name = tensor_names(input->name());
      if (value->nbytes() <= kPartOfModel) {
        TensorRef constant = Tensor::constant(store, name, value);
        graph.mutable_initializers().push_back(constant);
        cloner.map(*input, std::move(constant));
      } else {
        const Shape& shape = value->shape();
        TensorRef variable =
            Tensor::variable(store, name, value->dtype(), DimList(shape.begin(), shape.end()));
        graph.mutable_inputs().push_back(variable);
        cloner.map(*input, std::move(variable));
        region.feeds.emplace_back(name, value->load(input->name()));
      }
    }
    NodeRef node = cloner.node(*entry.node);
    // Runtimes name the node that fails.
    if (entry.node->name().empty()) node->set_name(node_names(node->outputs().front()->name()));
    graph.mutable_nodes().push_back(std::move(node));
  }
  for (const int32_t i : targets) {
    const Node& node = *state.entries[static_cast<size_t>(i)].node;
    for (size_t k = 0; k < node.outputs().size(); ++k) {
      if (node.outputs()[k]->is_empty()) continue;
      graph.mutable_outputs().push_back(cloner.tensor(*node.outputs()[k]));
      region.outputs.emplace_back(i, k);
    }
  }
  return region;
}

using Fate = FoldEntry::Fate;
using Targets = std::vector<int32_t>;

using polygraphy::log_modules::kGraph;

// Leaves nodes without outputs, which folding leaves, out of functions as long as it lives:
// runtimes refuse a function with them; the caller's lists keep them until cleanup().
class HiddenNodes {
 public:
  explicit HiddenNodes(const std::vector<FunctionRef>& functions) {
    for (const FunctionRef& function : functions) {
      for (Graph* graph : inner_graphs_first(*function)) hide(*graph);
    }
  }
  ~HiddenNodes() {
    for (auto& [graph, nodes] : before_) graph->mutable_nodes() = std::move(nodes);
  }
  HiddenNodes(const HiddenNodes&) = delete;
  HiddenNodes& operator=(const HiddenNodes&) = delete;

 private:
  void hide(Graph& graph) {
    const auto is_folded = [](const NodeRef& node) { return node->outputs().empty(); };
    const std::vector<NodeRef>& nodes = graph.nodes();
    if (std::none_of(nodes.begin(), nodes.end(), is_folded)) return;
    before_.emplace_back(&graph, nodes);
    std::erase_if(graph.mutable_nodes(), is_folded);
  }

  std::vector<std::pair<GraphRef, std::vector<NodeRef>>> before_;
};

class Evaluation {
 public:
  Evaluation(FoldState& state, int64_t growth) : state_(state), growth_(growth) {}

  void run(const std::map<std::string, Targets>& groups) {
    for (const auto& [imports, targets] : groups) {
      std::string reason;
      if (computed(targets, reason, false)) continue;
      std::map<size_t, Targets> parts;
      for (const int32_t i : targets) parts[entry(i).scope->part].push_back(i);
      for (const auto& [part, some] : parts) {
        if (parts.size() > 1 && computed(some, reason, false)) continue;
        take_apart(some, reason);
      }
    }
  }

 private:
  FoldEntry& entry(int32_t i) { return state_.entries[static_cast<size_t>(i)]; }

  // Runs the region of the targets. False when the evaluator fails; `last`: nothing else will be
  // tried, so an error may be the caller's.
  bool computed(const Targets& targets, std::string& reason, bool last) {
    std::vector<Array> results;
    Region region;
    try {
      region = make_region(state_, targets);
      const HiddenNodes hidden(region.model.functions);
      results = state_.options.evaluator->evaluate(region.model, region.feeds);
    } catch (const polygraphy::Interrupted&) {
      throw;
    } catch (const polygraphy::Error& error) {
      if (last && !state_.options.error_ok &&
          state_.options.partitioning != Partitioning::kRecursive) {
        throw;
      }
      reason = error.what();
      return false;
    }
    if (results.size() != region.outputs.size()) {
      throw polygraphy::Error(fmt::format("the evaluator returned {} tensors instead of {}",
                                          results.size(), region.outputs.size()));
    }
    for (const int32_t i : targets) {
      entry(i).values.assign(entry(i).node->outputs().size(), nullptr);
    }
    for (size_t k = 0; k < results.size(); ++k) {
      const auto [i, output] = region.outputs[k];
      entry(i).values[output] = owned_payload(results[k].contiguous_aligned(1));
    }
    for (const int32_t i : targets) check_size(entry(i));
    return true;
  }

  void check_size(FoldEntry& e) {
    const auto refuse = [&](std::string why) {
      e.fate = Fate::kRefused;
      e.values.clear();
      state_.refuse(*e.node, std::max<int64_t>(e.bytes, 0), std::move(why));
    };
    int64_t bytes = 0;
    int64_t largest = 0;
    for (const PayloadPtr& value : e.values) {
      if (!value) continue;
      bytes += value->nbytes();
      largest = std::max(largest, value->nbytes());
    }
    const int64_t more = e.bytes < 0 ? bytes : 0;
    if (e.bytes < 0) e.bytes = bytes;
    if (state_.options.size_threshold && largest > *state_.options.size_threshold) {
      return refuse(fmt::format("its result of {} is larger than the threshold of {} bytes",
                                polygraphy::size_text(largest), *state_.options.size_threshold));
    }
    const auto& limit = state_.options.max_growth;
    if (more > 0 && limit && growth_ + more > *limit) {
      state_.report.deferred += bytes;
      return refuse(fmt::format("its result would add {} to the {} of growth used so far, of {}",
                                polygraphy::size_text(bytes), polygraphy::size_text(growth_),
                                polygraphy::size_text(*limit)));
    }
    growth_ += more;
  }

  // Splits targets that cannot be computed together.
  void take_apart(const Targets& targets, std::string reason) {
    switch (state_.options.partitioning) {
      case Partitioning::kNone:
        // Again, so that the error is thrown unless error_ok is set.
        if (!state_.options.error_ok && computed(targets, reason, true)) return;
        state_.logger.warning(
            kGraph, fmt::format("Inference failed. You may want to try enabling partitioning to "
                                "see better results. Note: Error was:\n{}",
                                reason));
        for (const int32_t i : targets) fail(i, reason);
        return;
      case Partitioning::kBasic:
        for (const int32_t i : targets) {
          if (computed({i}, reason, true)) continue;
          warn(i, reason);
          state_.logger.info(kGraph,
                             "You may see better results if you set partitioning='recursive'");
          fail(i, reason);
        }
        return;
      case Partitioning::kRecursive:
        recurse(targets);
        return;
    }
  }

  void recurse(const Targets& targets) {
    std::unordered_set<int32_t> seen(targets.begin(), targets.end());
    Targets todo(targets.rbegin(), targets.rend());
    while (!todo.empty()) {
      const int32_t i = todo.back();
      todo.pop_back();
      std::string reason;
      if (entry(i).values.empty() && !computed({i}, reason, true)) {
        warn(i, reason);
        fail(i, reason);
        for (const Tensor* input : entry(i).inputs) {
          const auto fact = state_.facts.find(input);
          if (fact == state_.facts.end() || fact->second.entry < 0) continue;
          const int32_t producer = fact->second.entry;
          if (entry(producer).fate == Fate::kOpen && seen.insert(producer).second) {
            todo.push_back(producer);
          }
        }
      } else if (entry(i).fate == Fate::kOpen) {
        entry(i).fate = Fate::kAccepted;
      }
    }
  }

  void warn(int32_t i, const std::string& reason) {
    std::string names;
    for (const Tensor* output : entry(i).node->outputs()) {
      if (!output->is_empty())
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", output->name());
    }
    state_.logger.warning(
        kGraph, fmt::format("Inference failed for subgraph: Folding: [{}]. Note: Error was:\n{}",
                            names, reason));
  }

  void fail(int32_t i, const std::string& reason) {
    entry(i).fate = Fate::kRefused;
    state_.refuse(*entry(i).node, std::max<int64_t>(entry(i).bytes, 0),
                  "the evaluator cannot compute it: " + reason);
  }

  FoldState& state_;
  int64_t growth_;
};

// Entries of scopes with equal texts can be in one model.
std::string text_of(const std::vector<OpsetImport>& imports) {
  std::map<std::string, int64_t> versions;
  for (const OpsetImport& import : imports) {
    versions[std::string(normalized_domain(import.domain))] = import.version;
  }
  std::string text;
  for (const auto& [domain, version] : versions) text += fmt::format("{}:{};", domain, version);
  return text;
}

}  // namespace

void evaluate(FoldState& state, int64_t growth) {
  const FoldRule& rule = evaluation_rule();
  const bool is_skipped = state.is_skipped(rule);
  std::map<std::string, Targets> groups;
  size_t count = 0;
  for (size_t i = 0; i < state.entries.size(); ++i) {
    FoldEntry& entry = state.entries[i];
    if (entry.fate != Fate::kAccepted || !entry.values.empty()) continue;
    if (state.options.evaluator != nullptr && !is_skipped) {
      groups[text_of(*entry.scope->imports)].push_back(static_cast<int32_t>(i));
      continue;
    }
    ++count;
    entry.fate = Fate::kRefused;
    state.refuse(*entry.node, std::max<int64_t>(entry.bytes, 0),
                 is_skipped ? fmt::format("the rule '{}' is disabled", rule.name)
                            : "no rule computes it, and there is no inference runtime");
  }
  if (count > 0 && !is_skipped) {
    state.logger.warning(kGraph, fmt::format("{} nodes depend only on constants, but folding them "
                                             "needs an inference runtime; keeping them",
                                             count));
  }
  if (state.may_rewrite()) Evaluation(state, growth).run(groups);
}

}  // namespace graphsurgeon
