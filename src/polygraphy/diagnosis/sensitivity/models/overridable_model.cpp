#include "polygraphy/diagnosis/sensitivity/models/overridable_model.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/passes/toposort.h"

namespace polygraphy {
namespace {

using graphsurgeon::Dim;
using graphsurgeon::DimList;
using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// Inputs of the model.
struct Range {
  TensorRef scale = {}, zero_point = {};
};

class Overriding {
 public:
  Overriding(const graphsurgeon::Model& model, bool activations) : activations_(activations) {
    result_.model = graphsurgeon::copy(model);
    for (const auto& [name, tensor] : graph().tensor_map()) names_.emplace(name);
  }

  OverridableModel run(const std::vector<Site>& sites) {
    const std::vector<NodeRef> nodes = graph().nodes();
    for (const Site& site : sites) {
      SiteInputs& inputs = result_.sites.emplace_back();
      DimList shape(site.shape.begin(), site.shape.end());
      const TensorRef weight = input(site.weight + "/weight", site.dtype, std::move(shape));
      inputs.weight = weight->name();
      for (const SiteNode& at : site.nodes) {
        nodes[at.position]->inputs().set(at.weight_slot, weight);
        if (activations_ && !at.activation.empty())
          round_activation(*nodes[at.position], at, site, inputs);
      }
    }
    // A runtime keeps unused ones in memory.
    std::unordered_set<const Tensor*> read;
    for (const TensorRef& output : graph().outputs()) read.insert(output.get());
    std::erase_if(graph().mutable_initializers(), [&](const TensorRef& weight) {
      return weight->consumers().empty() && !read.contains(weight.get());
    });
    if (activations_) graphsurgeon::toposort(result_.model);
    result_.model.ir_version = std::max<int64_t>(result_.model.ir_version, 4);
    return std::move(result_);
  }

 private:
  Graph& graph() { return *result_.model.graph; }

  std::string distinct(std::string name) {
    while (!names_.insert(name).second) name += "'";
    return name;
  }

  TensorRef input(std::string name, DataType type, DimList shape) {
    TensorRef made = graph().variable(distinct(std::move(name)), type, std::move(shape));
    graph().mutable_inputs().push_back(made);
    return made;
  }

  void round_activation(graphsurgeon::Node& node, const SiteNode& at, const Site& site,
                        SiteInputs& inputs) {
    TensorRef& flag = flags_[&site];
    if (!flag) {
      flag = input(site.weight + "/quantizes", DataType::kBool, {});
      inputs.quantizes = flag->name();
    }
    TensorRef& chosen = chosen_[{&site, at.activation}];
    if (!chosen)
      chosen = choice(flag, TensorRef(node.inputs()[at.activation_slot]), range_of(at.activation));
    node.inputs().set(at.activation_slot, chosen);
  }

  const Range& range_of(const std::string& activation) {
    Range& range = ranges_[activation];
    if (range.scale) return range;
    range = {.scale = input(activation + "/scale", DataType::kFloat32, {}),
             .zero_point = input(activation + "/zero_point", DataType::kInt8, {})};
    result_.ranges.push_back(
        {activation, std::string(range.scale->name()), std::string(range.zero_point->name())});
    return range;
  }

  // An If node computes one of them only.
  TensorRef choice(const TensorRef& flag, const TensorRef& tensor, const Range& range) {
    const std::string name =
        distinct(std::string(flag->name()) + "/" + std::string(tensor->name()));
    const auto made = [&](const char* end, DataType type) {
      return graph().variable(distinct(name + end), type);
    };
    const GraphRef rounded = Graph::create(graph().store(), name + "/rounded");
    const TensorRef codes = made("/codes", DataType::kInt8),
                    values = made("/values", DataType::kFloat32);
    rounded->layer({.op = "QuantizeLinear",
                    .inputs = {tensor, range.scale, range.zero_point},
                    .outputs = {codes}});
    rounded->layer({.op = "DequantizeLinear",
                    .inputs = {codes, range.scale, range.zero_point},
                    .outputs = {values}});
    rounded->mutable_outputs().push_back(values);
    const GraphRef plain = Graph::create(graph().store(), name + "/plain");
    const TensorRef same = made("/same", DataType::kFloat32);
    plain->layer({.op = "Identity", .inputs = {tensor}, .outputs = {same}});
    plain->mutable_outputs().push_back(same);
    const TensorRef chosen = made("/chosen", DataType::kFloat32);
    graph().layer({.op = "If",
                   .inputs = {flag},
                   .outputs = {chosen},
                   .attrs = {{"then_branch", rounded}, {"else_branch", plain}},
                   .name = name});
    return chosen;
  }

  const bool activations_;
  OverridableModel result_;
  std::unordered_set<std::string> names_;
  std::map<const Site*, TensorRef> flags_;
  std::map<std::string, Range> ranges_;  // by tensor
  std::map<std::pair<const Site*, std::string>, TensorRef> chosen_;
};

}  // namespace

OverridableModel overridable(const graphsurgeon::Model& model, const std::vector<Site>& sites,
                             bool activations) {
  return Overriding(model, activations).run(sites);
}

}  // namespace polygraphy
