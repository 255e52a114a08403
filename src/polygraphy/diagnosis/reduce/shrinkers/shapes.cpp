// Inputs and weights get smaller: a dimension of 64 becomes 1, or 32, wherever it is 64.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"
#include "polygraphy/models/candidates/sliced_payload.h"
#include "polygraphy/models/candidates/well_formed.h"

namespace polygraphy {
namespace {

using graphsurgeon::Attribute;
using graphsurgeon::Dim;
using graphsurgeon::DimList;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// What each extent becomes.
using Extents = std::map<int64_t, int64_t>;

// So many are tried one by one, the greatest first.
constexpr size_t kMostExtents = 12;
// Integers of so many elements may be a shape, and their number is a rank.
constexpr int64_t kLongestShape = 16;

bool may_be_shape(const Tensor& constant) {
  const auto& payload = *constant.payload();
  return payload.dtype() == DataType::kInt64 && payload.shape().size() <= 1 &&
         payload.size() <= kLongestShape;
}

int64_t changed(int64_t extent, const Extents& extents) {
  const auto found = extents.find(extent);
  return found == extents.end() ? extent : found->second;
}

void change_shape(Tensor& tensor, const Extents& extents) {
  if (!tensor.declared_shape() || tensor.type_kind() != graphsurgeon::TypeKind::kTensor) return;
  DimList shape = *tensor.declared_shape();
  bool differs = false;
  for (Dim& dim : shape) {
    if (!dim.is_static() || changed(dim.value(), extents) == dim.value()) continue;
    dim = Dim(changed(dim.value(), extents));
    differs = true;
  }
  if (differs) tensor.set_shape(std::move(shape));
}

void change_constant(Tensor& constant, const Extents& extents) {
  if (may_be_shape(constant)) {
    Array values = constant.values().contiguous_aligned().clone();
    auto* elements = reinterpret_cast<int64_t*>(values.mutable_data());
    bool differs = false;
    for (int64_t i = 0; i < values.size(); ++i) {
      const int64_t before = std::exchange(elements[i], changed(elements[i], extents));
      differs |= elements[i] != before;
    }
    if (differs) constant.replace_values(graphsurgeon::owned_payload(std::move(values)));
    return;
  }
  Shape shape = constant.payload()->shape();
  for (int64_t& extent : shape) extent = changed(extent, extents);
  if (shape == constant.payload()->shape()) return;
  if (auto part = first_elements(constant.payload(), std::move(shape))) {
    constant.to_constant(std::move(part));
  }
}

// Attributes that are extents of what the node reads or makes.
void change_attributes(graphsurgeon::Node& node, const Extents& extents) {
  static const std::set<std::string_view> kNames = {"group",       "hidden_size",  "kernel_shape",
                                                    "num_groups",  "num_heads",    "kv_num_heads",
                                                    "q_num_heads", "output_shape", "split"};
  std::vector<Attribute> different;
  for (Attribute attribute : node.attributes()) {
    if (!kNames.contains(attribute.name)) continue;
    attribute.encoded = {};
    bool differs = false;
    const auto change = [&](int64_t& number) {
      const int64_t before = std::exchange(number, changed(number, extents));
      differs |= number != before;
    };
    if (auto* number = std::get_if<int64_t>(&attribute.value)) change(*number);
    if (auto* list = std::get_if<std::vector<int64_t>>(&attribute.value)) {
      for (int64_t& number : *list) change(number);
    }
    if (differs) different.push_back(std::move(attribute));
  }
  for (Attribute& attribute : different) node.set_attribute(std::move(attribute));
}

Model with(const Model& model, const Extents& extents) {
  Model candidate = graphsurgeon::copy(model);
  for (Graph* graph : graphsurgeon::inner_graphs_first(*candidate.graph)) {
    for (const TensorRef& input : graph->inputs()) change_shape(*input, extents);
    for (const TensorRef& constant : graph->initializers()) {
      if (constant->is_constant()) change_constant(*constant, extents);
    }
    for (const NodeRef& node : graph->nodes()) {
      change_attributes(*node, extents);
      for (Tensor* output : node->outputs()) {
        if (!output->is_constant()) change_shape(*output, extents);
      }
    }
  }
  return candidate;
}

// Only the batch, the first dimension of every input, and what shapes begin with.
Model with_batch_of_one(const Model& model) {
  Model candidate = graphsurgeon::copy(model);
  Extents batches;
  for (const TensorRef& input : candidate.graph->inputs()) {
    const DimList* shape = input->declared_shape();
    if (input->is_constant() || !shape || shape->empty() || !shape->front().is_static()) continue;
    if (shape->front().value() > 1) batches[shape->front().value()] = 1;
    input->set_dim(0, Dim(1));
  }
  for (const TensorRef& constant : candidate.graph->initializers()) {
    if (!constant->is_constant() || !may_be_shape(*constant)) continue;
    if (constant->payload()->shape().empty() || constant->payload()->size() < 2) continue;
    Array values = constant->values().contiguous_aligned().clone();
    auto* first = reinterpret_cast<int64_t*>(values.mutable_data());
    if (changed(*first, batches) == *first) continue;
    *first = 1;
    constant->replace_values(graphsurgeon::owned_payload(std::move(values)));
  }
  return candidate;
}

// Inputs of any size have one.
Model with_open_dimensions_of_one(Model candidate) {
  for (const TensorRef& input : candidate.graph->inputs()) {
    if (input->is_constant() || !input->declared_shape()) continue;
    DimList shape = *input->declared_shape();
    for (Dim& dim : shape) {
      if (!dim.is_static()) dim = Dim(1);
    }
    if (shape != *input->declared_shape()) input->set_shape(std::move(shape));
  }
  return candidate;
}

bool has_open_dimensions(const Model& model) {
  for (const TensorRef& input : model.graph->inputs()) {
    if (input->is_constant() || !input->declared_shape()) continue;
    for (const Dim& dim : *input->declared_shape()) {
      if (!dim.is_static()) return true;
    }
  }
  return false;
}

bool has_batch(const Model& model) {
  for (const TensorRef& input : model.graph->inputs()) {
    const DimList* shape = input->declared_shape();
    if (input->is_constant() || !shape || shape->empty()) continue;
    if (shape->front().is_static() && shape->front().value() > 1) return true;
  }
  return false;
}

// Of nodes that make tensors of a shape that they are given.
bool is_shape(const Tensor& constant) {
  if (!may_be_shape(constant)) return false;
  for (const graphsurgeon::Node* node : constant.consumers()) {
    if (node->op() == "ConstantOfShape") return true;
    if (node->op() != "Reshape" && node->op() != "Expand") continue;
    if (node->inputs().size() > 1 && node->inputs()[1] == &constant) return true;
  }
  return false;
}

// Of inputs and weights, those that can become smaller.
std::set<int64_t> extents_of(const Model& model) {
  std::set<int64_t> extents;
  for (const Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
    for (const TensorRef& constant : graph->initializers()) {
      if (!constant->is_constant() || may_be_shape(*constant)) continue;
      extents.insert(constant->payload()->shape().begin(), constant->payload()->shape().end());
    }
  }
  for (const TensorRef& input : model.graph->inputs()) {
    if (input->is_constant() || !input->declared_shape()) continue;
    for (const Dim& dim : *input->declared_shape()) {
      if (dim.is_static()) extents.insert(dim.value());
    }
  }
  extents.erase(extents.begin(), extents.upper_bound(1));
  return extents;
}

// Everything becomes 1; where nothing else does, shapes stay: they are not what they seem.
Extents all_ones(const Model& model) {
  Extents all;
  for (const int64_t extent : extents_of(model)) all[extent] = 1;
  if (all.empty()) return all;
  for (const Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
    for (const TensorRef& constant : graph->initializers()) {
      if (!constant->is_constant() || !is_shape(*constant)) continue;
      const Array values = constant->values();
      for (int64_t i = 0; i < values.size(); ++i) {
        if (values.get_int64(i) > 1) all[values.get_int64(i)] = 1;
      }
    }
  }
  return all;
}

class ShapeSearch {
 public:
  ShapeSearch(const Model& model, ShrinkTools& tools)
      : model_(model), tools_(tools), well_formed_(model, tools.judgements) {}

  std::unique_ptr<Model> run() {
    // Where shapes contradict each other, that is what has to be seen.
    if (well_formed_.is_contradiction()) return nullptr;
    const Extents all = all_ones(model_);
    const bool is_open = has_open_dimensions(model_);
    if (all.empty() && !is_open) return nullptr;
    const auto ones = [&] { return with_open_dimensions_of_one(with(model_, all)); };
    if (try_out("all", "Making all dimensions 1", ones)) return std::move(smaller_);
    if (is_open) {
      try_out("open", "Making open dimensions 1",
              [&] { return with_open_dimensions_of_one(graphsurgeon::copy(current())); });
    }
    if (has_batch(model_)) {
      try_out("batch", "Making the batch 1", [&] { return with_batch_of_one(current()); });
    }
    std::set<int64_t> tried;
    for (size_t i = 0; i < kMostExtents; ++i) {
      const std::set<int64_t> extents = extents_of(current());
      const auto next = std::find_if(extents.rbegin(), extents.rend(),
                                     [&](int64_t extent) { return !tried.contains(extent); });
      if (next == extents.rend()) break;
      make_small(*next, tried);
    }
    return std::move(smaller_);
  }

 private:
  const Model& current() const { return smaller_ ? *smaller_ : model_; }

  // 1 if possible, else half as long as that is possible.
  void make_small(int64_t extent, std::set<int64_t>& tried) {
    tried.insert(extent);
    const auto becomes = [&](int64_t smaller) {
      return change({{extent, smaller}}, "Making dimensions of " + std::to_string(extent) + " " +
                                             std::to_string(smaller));
    };
    if (becomes(1)) return;
    while (extent > 3 && becomes(extent / 2)) {
      extent /= 2;
      tried.insert(extent);
    }
  }

  bool change(const Extents& extents, const std::string& about) {
    std::string key;
    for (const auto& [from, to] : extents) {
      key += std::to_string(from) + ">" + std::to_string(to) + " ";
    }
    return try_out(key, about, [&] { return with(current(), extents); });
  }

  template <typename Make>
  bool try_out(const std::string& key, const std::string& about, Make make) {
    Probe probe(well_formed_, history_ + key, make);
    if (!probe.accepted()) return false;
    history_ += key;
    const bool fails = tools_.test.fails({.key = history_, .about = about, .make = [&probe] {
                                            return graphsurgeon::copy(probe.model());
                                          }});
    if (!fails) return false;
    smaller_ = std::make_unique<Model>(std::move(probe.model()));
    history_ += "fails ";
    return true;
  }

  const Model& model_;
  ShrinkTools& tools_;
  WellFormed well_formed_;
  std::unique_ptr<Model> smaller_;
  std::string history_;  // what became smaller_: questions about it depend on that
};

std::unique_ptr<Model> shrink_model(const Model& model, ShrinkTools& tools) {
  return ShapeSearch(model, tools).run();
}

}  // namespace

extern const Shrinker shrinker_shapes;
constinit const Shrinker shrinker_shapes = {
    .name = "shapes", .phrase = "Making dimensions smaller", .order = 50, .shrink = shrink_model};

}  // namespace polygraphy
