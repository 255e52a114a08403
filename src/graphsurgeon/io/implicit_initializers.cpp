#include "graphsurgeon/io/implicit_initializers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>

#include "base/error.h"
#include "graphsurgeon/io/model_visitor.h"

namespace graphsurgeon {

namespace {

// All graphs nested in a root, each below the graph in which it was found first.
struct Tree {
  struct Place {
    const Graph* graph;
    size_t parent;  // of the root: itself
    int depth;
  };
  std::vector<Place> places;

  explicit Tree(const Graph& root) {
    places.push_back({&root, 0, 0});
    std::unordered_set<const Graph*> seen{&root};
    for (size_t i = 0; i < places.size(); ++i) {
      for (const NodeRef& node : places[i].graph->nodes()) {
        if (!node->has_subgraphs()) continue;
        for (const GraphRef& inner : node->subgraphs()) {
          if (seen.insert(inner.get()).second) {
            places.push_back({inner.get(), i, places[i].depth + 1});
          }
        }
      }
    }
  }

  size_t common(size_t a, size_t b) const {
    while (places[a].depth > places[b].depth) a = places[a].parent;
    while (places[b].depth > places[a].depth) b = places[b].parent;
    while (a != b) {
      a = places[a].parent;
      b = places[b].parent;
    }
    return a;
  }
};

// Of one root. Uses of constants are rare enough to look them up.
class Finder {
 public:
  Finder(const Graph& root, std::unordered_map<const Graph*, std::vector<const Tensor*>>& found)
      : tree_(root), found_(found) {}

  void find() {
    for (size_t i = 0; i < tree_.places.size(); ++i) {
      for (const TensorRef& t : tree_.places[i].graph->initializers()) {
        listed_[t.get()].push_back(i);
      }
    }
    for (size_t i = 0; i < tree_.places.size(); ++i) {
      const Graph& graph = *tree_.places[i].graph;
      for (const TensorRef& t : graph.inputs()) use(*t, i);
      for (const NodeRef& node : graph.nodes()) {
        for (const Tensor* t : node->inputs()) use(*t, i);
        for (const Tensor* t : node->outputs()) {
          if (t->is_constant() && !listed_.contains(t)) both_constant_and_produced(*t, *node);
        }
      }
      for (const TensorRef& t : graph.outputs()) use(*t, i);
    }
    for (const Tensor* t : order_) found_[tree_.places[owners_.at(t)].graph].push_back(t);
  }

 private:
  void use(const Tensor& t, size_t at) {
    if (!t.is_constant() || is_listed(t, at)) return;
    const auto [owner, is_new] = owners_.try_emplace(&t, at);
    if (is_new) {
      order_.push_back(&t);
    } else {
      owner->second = tree_.common(owner->second, at);
    }
  }

  bool is_listed(const Tensor& t, size_t at) const {
    const auto listed = listed_.find(&t);
    if (listed == listed_.end()) return false;
    return std::any_of(listed->second.begin(), listed->second.end(),
                       [&](size_t place) { return tree_.common(place, at) == place; });
  }

  [[noreturn]] static void both_constant_and_produced(const Tensor& t, const Node& node) {
    throw polygraphy::Error(fmt::format("tensor '{}' is a constant, but node '{}' ({}) produces it",
                                        t.name(), node.name(), node.op()),
                            "Unlink the producer: tensor.producers().clear(), or cleanup().");
  }

  Tree tree_;
  std::unordered_map<const Graph*, std::vector<const Tensor*>>& found_;
  std::unordered_map<const Tensor*, std::vector<size_t>> listed_;
  std::unordered_map<const Tensor*, size_t> owners_;
  std::vector<const Tensor*> order_;
};

}  // namespace

ImplicitInitializers::ImplicitInitializers(const Model& model) {
  if (!model.graph || model.untouched()) return;
  Finder(*model.graph, constants_).find();
  for (const FunctionRef& function : model.functions) {
    Finder(*function, constants_).find();
    // A function has no initializers.
    std::vector<const Tensor*> listed;
    for (const TensorRef& t : function->initializers()) {
      if (t->is_constant()) listed.push_back(t.get());
    }
    if (listed.empty()) continue;
    std::vector<const Tensor*>& found = constants_[function.get()];
    found.insert(found.begin(), listed.begin(), listed.end());
  }
}

std::span<const Tensor* const> ImplicitInitializers::of(const Graph& graph) const {
  const auto found = constants_.find(&graph);
  if (found == constants_.end()) return {};
  return found->second;
}

MissingImports::MissingImports(const Model& model) {
  if (!model.graph || model.untouched()) return;
  const auto missing_of = [](const Graph& root, const std::vector<OpsetImport>& imports) {
    std::set<std::string_view> known{"", "ai.onnx"};
    for (const OpsetImport& import : imports) known.insert(import.domain);
    std::vector<OpsetImport> missing;
    std::string_view last;  // domains are interned, and most nodes have the same
    for (const Graph* graph : graphs_in(root)) {
      for (const NodeRef& node : graph->nodes()) {
        const std::string_view domain = node->domain();
        if (domain.data() == last.data() && domain.size() == last.size()) continue;
        last = domain;
        if (known.insert(domain).second) missing.push_back({std::string(domain), 1, {}});
      }
    }
    return missing;
  };
  of_model = missing_of(*model.graph, model.opset_imports);
  for (const FunctionRef& function : model.functions) {
    auto missing = missing_of(*function, function->opset_imports);
    // Domains that the model imports in another version.
    for (OpsetImport& import : missing) {
      for (const OpsetImport& known : model.opset_imports) {
        if (known.domain == import.domain) import.version = known.version;
      }
    }
    if (!missing.empty()) of_functions.emplace(function.get(), std::move(missing));
  }
}

}  // namespace graphsurgeon
