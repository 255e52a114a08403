#include "polygraphy/diagnosis/sensitivity/models/overridable_model.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/passes/toposort.h"

namespace polygraphy {
namespace {

using graphsurgeon::Dim;
using graphsurgeon::DimList;
using graphsurgeon::Graph;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

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

  TensorRef input(std::string name, DataType type, DimList shape) {
    while (!names_.insert(name).second) name += "'";
    TensorRef made = graph().variable(name, type, std::move(shape));
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
    TensorRef& rounded = rounded_[at.activation];
    const TensorRef tensor(node.inputs()[at.activation_slot]);
    if (!rounded) {
      const TensorRef scale = input(at.activation + "/scale", DataType::kFloat32, {});
      const TensorRef zero = input(at.activation + "/zero_point", DataType::kInt8, {});
      result_.ranges.push_back(
          {at.activation, std::string(scale->name()), std::string(zero->name())});
      const TensorRef codes(graph()
                                .layer({.op = "QuantizeLinear",
                                        .inputs = {tensor, scale, zero},
                                        .outputs = {"sensitivity_codes"}})
                                .front());
      rounded = TensorRef(graph()
                              .layer({.op = "DequantizeLinear",
                                      .inputs = {codes, scale, zero},
                                      .outputs = {"sensitivity_rounded"}})
                              .front());
    }
    const TensorRef chosen(graph()
                               .layer({.op = "Where",
                                       .inputs = {flag, rounded, tensor},
                                       .outputs = {"sensitivity_chosen"}})
                               .front());
    node.inputs().set(at.activation_slot, chosen);
  }

  const bool activations_;
  OverridableModel result_;
  std::unordered_set<std::string> names_;
  std::map<const Site*, TensorRef> flags_;
  std::map<std::string, TensorRef> rounded_;
};

}  // namespace

OverridableModel overridable(const graphsurgeon::Model& model, const std::vector<Site>& sites,
                             bool activations) {
  return Overriding(model, activations).run(sites);
}

}  // namespace polygraphy
