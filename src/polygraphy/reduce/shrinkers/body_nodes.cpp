// Nodes go from bodies and functions that have to stay: candidates/keep_nodes.h.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/silent_log.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "polygraphy/reduce/candidates/keep_nodes.h"
#include "polygraphy/reduce/candidates/model_size.h"
#include "polygraphy/reduce/candidates/prune_unused.h"
#include "polygraphy/reduce/candidates/well_formed.h"
#include "polygraphy/reduce/search/ddmin.h"
#include "polygraphy/reduce/shrinker.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;

// Of If, Loop and Scan, and of functions; outer ones first: what is inside goes with them.
std::vector<Graph*> bodies(const Model& model) {
  std::vector<Graph*> result;
  const auto add = [&](Graph& root, size_t leave_out) {
    const std::vector<Graph*> graphs = graphsurgeon::inner_graphs_first(root);
    result.insert(result.end(), graphs.rbegin() + static_cast<std::ptrdiff_t>(leave_out),
                  graphs.rend());
  };
  add(*model.graph, 1);
  for (const auto& function : model.functions) add(*function, 0);
  return result;
}

class BodySearch {
 public:
  BodySearch(const Model& model, ShrinkTools& tools)
      : tools_(tools), well_formed_(model, tools.judgements), left_(graphsurgeon::copy(model)) {
    graphsurgeon::infer_shapes(left_, {}, log_or_silence(nullptr));
  }

  std::unique_ptr<Model> run() {
    for (size_t i = 0; i < bodies(left_).size(); ++i) thin_out(i);
    return smaller_ ? std::make_unique<Model>(std::move(left_)) : nullptr;
  }

 private:
  std::optional<Model> with(size_t graph, const Part& part) const {
    Model candidate = graphsurgeon::copy(left_);
    if (!keep_nodes(*bodies(candidate)[graph], part)) return std::nullopt;
    prune_unused(candidate);
    // A node that hands on may stand where another one stood.
    if (model_size(candidate).nodes >= model_size(left_).nodes) return std::nullopt;
    return candidate;
  }

  void thin_out(size_t graph) {
    const size_t count = bodies(left_)[graph]->nodes().size();
    history_ += std::to_string(graph) + " of ";
    const Part needed = minimal_subset(count, [&](const Part& part) {
      Probe probe(well_formed_, history_ + to_text(part), [&] { return with(graph, part); });
      if (!probe.accepted()) return false;
      return tools_.test.fails({.key = history_ + to_text(part),
                                .about = "Keeping " + std::to_string(part.size()) + " of " +
                                         std::to_string(count) + " nodes of a body",
                                .make = [&] { return *with(graph, part); }});
    });
    if (needed.size() == count) return;
    left_ = *with(graph, needed);
    smaller_ = true;
    history_ += to_text(needed) + " ";
  }

  ShrinkTools& tools_;
  WellFormed well_formed_;
  Model left_;
  bool smaller_ = false;
  std::string history_;  // what became left_: questions about it depend on that
};

std::unique_ptr<Model> shrink(const Model& model, ShrinkTools& tools) {
  if (bodies(model).empty()) return nullptr;
  return BodySearch(model, tools).run();
}

}  // namespace

extern const Shrinker shrinker_body_nodes;
constinit const Shrinker shrinker_body_nodes = {
    .name = "body nodes",
    .phrase = "Taking nodes away inside If, Loop, Scan and functions",
    .order = 35,
    .shrink = shrink};

}  // namespace polygraphy
