#include "polygraphy/diagnosis/sensitivity/models/skippable_segments.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

constexpr size_t kParts = 16;
constexpr size_t kFewestSites = 8;
constexpr size_t kMostAlive = 8;

class Cutting {
 public:
  explicit Cutting(OverridableModel& model) : model_(model), nodes_(graph().nodes()) {
    std::unordered_map<std::string_view, size_t> first_uses;
    graphsurgeon::Captures captures;
    for (const Graph* inner : graphsurgeon::inner_graphs_first(graph())) captures.add(*inner);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      std::vector<const Tensor*>& read = reads_.emplace_back();
      for (const Tensor* input : nodes_[i]->inputs()) read.push_back(input);
      captures.for_each(*nodes_[i], [&](const Tensor& captured) { read.push_back(&captured); });
      for (const Tensor* input : read) {
        first_uses.emplace(input->name(), i);
        last_use_[input] = i;
      }
    }
    for (const TensorRef& output : graph().outputs()) outputs_.insert(output.get());
    for (const SiteInputs& site : model_.sites) {
      size_t first = first_uses.at(site.weight);
      const auto flag = first_uses.find(site.quantizes);
      if (!site.quantizes.empty() && flag != first_uses.end())
        first = std::min(first, flag->second);
      first_use_.push_back(first);
    }
  }

  SkippableModel run() {
    SkippableModel result;
    const std::vector<size_t> cuts = choose_cuts();
    for (const size_t first : first_use_) {
      result.first.push_back(
          static_cast<size_t>(std::upper_bound(cuts.begin(), cuts.end(), first) - cuts.begin()));
    }
    std::vector<NodeRef> all;
    size_t begin = 0;
    for (const size_t end : cuts) {
      result.segments.push_back(wrap(begin, end, all));
      begin = end;
    }
    all.insert(all.end(), nodes_.begin() + static_cast<ptrdiff_t>(begin), nodes_.end());
    graph().mutable_nodes() = std::move(all);
    return result;
  }

 private:
  Graph& graph() { return *model_.model.graph; }

  // Positions of the first nodes behind the segments: as near as may be to the next site.
  std::vector<size_t> choose_cuts() {
    std::vector<size_t> starts(first_use_);
    std::ranges::sort(starts);
    const size_t each = (starts.size() + kParts - 1) / kParts;
    std::vector<size_t> cuts;
    std::unordered_set<const Tensor*> alive;
    size_t begun = 0, in_last = 0, place = 0;  // 0: not found yet
    for (size_t i = 0; i < nodes_.size() && begun < starts.size(); ++i) {
      if (starts[begun] == i && place > 0) {
        cuts.push_back(place);
        in_last = begun;
        place = 0;
      }
      for (const Tensor* input : reads_[i]) {
        if (last_use_[input] == i) alive.erase(input);
      }
      for (const Tensor* output : nodes_[i]->outputs()) {
        if (outputs_.contains(output)) {
          if (place > 0) cuts.push_back(place);
          return cuts;
        }
        if (last_use_.contains(output)) alive.insert(output);
      }
      while (begun < starts.size() && starts[begun] <= i) ++begun;
      if (begun - in_last >= each && may_be_cut(alive)) place = i + 1;
    }
    return cuts;
  }

  static bool may_be_cut(const std::unordered_set<const Tensor*>& alive) {
    return alive.size() <= kMostAlive && std::ranges::all_of(alive, [](const Tensor* tensor) {
             return tensor->dtype() != DataType::kUndefined && tensor->shape();
           });
  }

  // All dimensions are open.
  TensorRef input(const std::string& name, DataType type, size_t rank) {
    TensorRef made = graph().variable(name, type, graphsurgeon::DimList(rank));
    graph().mutable_inputs().push_back(made);
    return made;
  }

  static void read_instead(graphsurgeon::Node& node, const Tensor* from, const TensorRef& to) {
    auto& inputs = node.inputs();
    for (size_t slot = 0; slot < inputs.size(); ++slot) {
      if (inputs[slot] == from) inputs.set(slot, to);
    }
  }

  Segment wrap(size_t begin, size_t end, std::vector<NodeRef>& all) {
    const std::string prefix = "sensitivity_segment" + std::to_string(end);
    Segment segment{.skip = prefix + "/skip", .results = {}};
    const TensorRef skip = input(segment.skip, DataType::kBool, 0);
    const GraphRef computed = Graph::create(graph().store(), prefix + "_computed");
    const GraphRef given = Graph::create(graph().store(), prefix + "_given");
    std::vector<TensorRef> results;
    for (size_t i = begin; i < end; ++i) {
      computed->mutable_nodes().push_back(nodes_[i]);
      for (Tensor* made : nodes_[i]->outputs()) {
        const auto use = last_use_.find(made);
        if (use == last_use_.end() || use->second < end) continue;
        const std::string name = prefix + "/" + std::to_string(results.size());
        const size_t rank = made->shape()->size();
        const TensorRef from = input(name + "/given", made->dtype(), rank);
        const TensorRef copy = graph().variable(name + "/copy", made->dtype());
        given->layer({.op = "Identity", .inputs = {from}, .outputs = {copy}, .name = name});
        given->mutable_outputs().push_back(copy);
        computed->mutable_outputs().emplace_back(made);
        const TensorRef result = graph().variable(name, made->dtype(), graphsurgeon::DimList(rank));
        for (size_t k = end; k <= use->second; ++k) {
          read_instead(*nodes_[k], made, result);
          for (const GraphRef& body : nodes_[k]->subgraphs_recursive()) {
            for (const NodeRef& node : body->nodes()) read_instead(*node, made, result);
          }
        }
        last_use_[result.get()] = use->second;
        graph().mutable_outputs().push_back(result);
        results.push_back(result);
        segment.results.push_back({name, name + "/given", made->dtype(), rank});
      }
    }
    const size_t before = graph().nodes().size();
    graph().layer({.op = "If",
                   .inputs = {skip},
                   .outputs = {results},
                   .attrs = {{"then_branch", given}, {"else_branch", computed}},
                   .name = prefix});
    all.push_back(graph().nodes()[before]);
    return segment;
  }

  OverridableModel& model_;
  const std::vector<NodeRef> nodes_;
  std::vector<std::vector<const Tensor*>> reads_;  // of each node, itself or in its bodies
  std::unordered_map<const Tensor*, size_t> last_use_;
  std::unordered_set<const Tensor*> outputs_;
  std::vector<size_t> first_use_;
};

}  // namespace

SkippableModel make_skippable(OverridableModel& model) {
  if (model.sites.size() < kFewestSites)
    return {.segments = {}, .first = std::vector<size_t>(model.sites.size(), 0)};
  Logger silent;
  graphsurgeon::infer_shapes(model.model, {}, silent);
  SkippableModel result = Cutting(model).run();
  model.model.graph->mutable_value_infos().clear();
  return result;
}

}  // namespace polygraphy
