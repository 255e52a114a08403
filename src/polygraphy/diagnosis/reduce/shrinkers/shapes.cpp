// Inputs and weights get smaller: a dimension of 64 becomes 1, or 32, wherever it is 64.

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
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

// The new value of each extent.
using Extents = std::map<int64_t, int64_t>;

// Up to this number of extents are tried one by one, the greatest first.
constexpr size_t kMostExtents = 12;
// Integers of up to this number of elements may be a shape, and their number is a rank.
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
  ShapeSearch(const Model& model, SearchTools& tools)
      : model_(model), tools_(tools), well_formed_(model) {}

  std::unique_ptr<Model> run() {
    // Where shapes contradict each other, that is what has to be seen.
    if (well_formed_.is_contradiction()) return nullptr;
    std::vector<Step> at_once = steps_at_once();
    if (at_once.empty()) return nullptr;
    const std::string all = at_once.front().about;
    while (true) {
      std::vector<Step> steps = at_once;
      std::ranges::move(steps_of_extents(), std::back_inserter(steps));
      const std::optional<size_t> found = first_failing(steps);
      if (!found || steps[*found].about == all) return std::move(smaller_);
      at_once.erase(at_once.begin(), at_once.begin() + static_cast<std::ptrdiff_t>(
                                                           std::min(at_once.size(), *found + 1)));
      steps.resize(*found + 1);
      for (const Step& step : steps) {
        if (step.from > 0 && step.from != halved_)
          begun_ += tried_.insert(step.from).second ? 1 : 0;
      }
      halved_ = steps.back().to;
      tried_.insert(halved_);
    }
  }

 private:
  // A way to make the present model smaller.
  struct Step {
    std::string about;
    std::function<Model(const Model&)> make;
    int64_t from = 0, to = 0;  // of the extent
  };

  const Model& current() const { return smaller_ ? *smaller_ : model_; }

  // Changes of all the model at once; empty: nothing can be made smaller.
  std::vector<Step> steps_at_once() const {
    const Extents all = all_ones(model_);
    const bool is_open = has_open_dimensions(model_);
    if (all.empty() && !is_open) return {};
    std::vector<Step> steps = {{"Setting all dimensions to 1", [all](const Model& model) {
                                  return with_open_dimensions_of_one(with(model, all));
                                }}};
    if (is_open) {
      steps.push_back({"Setting dynamic dimensions to 1", [](const Model& model) {
                         return with_open_dimensions_of_one(graphsurgeon::copy(model));
                       }});
    }
    if (has_batch(model_)) steps.push_back({"Setting the batch to 1", with_batch_of_one});
    return steps;
  }

  static Step becomes(int64_t from, int64_t to) {
    return {"Reducing dimensions of " + std::to_string(from) + " to " + std::to_string(to),
            [from, to](const Model& model) { return with(model, {{from, to}}); }, from, to};
  }

  // One extent after the other, the greatest first: 1 if possible, else half as long as that is
  // possible.
  std::vector<Step> steps_of_extents() const {
    std::vector<Step> steps;
    if (halved_ > 3) steps.push_back(becomes(halved_, halved_ / 2));
    const std::set<int64_t> extents = extents_of(current());
    size_t most = kMostExtents - begun_;
    for (auto i = extents.rbegin(); i != extents.rend() && most > 0; ++i) {
      if (tried_.contains(*i)) continue;
      --most;
      steps.push_back(becomes(*i, 1));
      if (*i > 3) steps.push_back(becomes(*i, *i / 2));
    }
    return steps;
  }

  // The step that fails first becomes the present model.
  std::optional<size_t> first_failing(const std::vector<Step>& steps) {
    const auto candidate = [this](const Step& step) -> Candidate {
      const auto make = [this, make = step.make](CandidateTools&) -> std::optional<Model> {
        Model smaller = make(current());
        if (!well_formed_.accepts(smaller)) return std::nullopt;
        return smaller;
      };
      return {.about = step.about, .make = make};
    };
    const auto found =
        tools_.test.first_failing(made_of<Candidate, Step>(in_order(steps), candidate));
    if (!found) return std::nullopt;
    smaller_ = std::make_unique<Model>(*found->candidate.make(tools_));
    return found->position;
  }

  const Model& model_;
  SearchTools& tools_;
  WellFormed well_formed_;
  std::unique_ptr<Model> smaller_;
  std::set<int64_t> tried_;  // extents
  size_t begun_ = 0;         // their number at the beginning
  int64_t halved_ = 0;       // the one that the last step has made; 0: that was about no extent
};

std::unique_ptr<Model> shrink_model(const Model& model, SearchTools& tools) {
  return ShapeSearch(model, tools).run();
}

}  // namespace

extern constinit const Shrinker shrinker_shapes = {
    .name = "shapes", .phrase = "Reducing dimensions", .order = 50, .shrink = shrink_model};

}  // namespace polygraphy
