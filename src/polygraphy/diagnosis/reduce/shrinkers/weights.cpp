// Weights whose values do not matter get one value throughout, which any archiver makes small.

#include <string>
#include <utility>
#include <vector>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"
#include "polygraphy/diagnosis/search/ddmin.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Payload;
using graphsurgeon::PayloadPtr;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// Weights of up to this number of elements are all kept: they are small, and often axes or sizes.
constexpr int64_t kSmall = 16;

// One for what is computed with; zero for what may be an index. Null: leave it as it is.
PayloadPtr filled(const Payload& values) {
  Array one;
  switch (values.dtype()) {
    case DataType::kFloat32:
      one = Array::of<float>({}, {1});
      break;
    case DataType::kFloat64:
      one = Array::of<double>({}, {1});
      break;
    case DataType::kInt8:
      one = Array::of<int8_t>({}, {1});
      break;
    case DataType::kUint8:
      one = Array::of<uint8_t>({}, {1});
      break;
    case DataType::kFloat16:
      one = Array::zeros(values.dtype(), {});
      *reinterpret_cast<uint16_t*>(one.mutable_data()) = 0x3C00;
      break;
    case DataType::kBfloat16:
      one = Array::zeros(values.dtype(), {});
      *reinterpret_cast<uint16_t*>(one.mutable_data()) = 0x3F80;
      break;
    case DataType::kInt16:
    case DataType::kUint16:
    case DataType::kInt32:
    case DataType::kInt64:
      one = Array::zeros(values.dtype(), {});
      break;
    default:
      return nullptr;
  }
  return graphsurgeon::splat_payload(std::move(one), values.shape());
}

// The same ones in the same order for a model and its copies.
std::vector<Tensor*> large_weights(const Model& model) {
  std::vector<Tensor*> weights;
  for (const Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
    for (const TensorRef& tensor : graph->initializers()) {
      if (!tensor->is_constant() || tensor->payload()->size() <= kSmall) continue;
      if (tensor->payload()->kind() == Payload::Kind::kSplat) continue;
      if (filled(*tensor->payload())) weights.push_back(tensor.get());
    }
  }
  return weights;
}

std::unique_ptr<Model> shrink_model(const Model& model, SearchTools& tools) {
  const size_t count = large_weights(model).size();
  const auto keep = [&](const Part& part) {
    Model candidate = graphsurgeon::copy(model);
    const std::vector<Tensor*> weights = large_weights(candidate);
    std::vector<bool> kept(count);
    for (const size_t index : part) kept[index] = true;
    for (size_t i = 0; i < count; ++i) {
      if (!kept[i]) weights[i]->replace_values(filled(*weights[i]->payload()));
    }
    return candidate;
  };
  const auto candidate = [&](const Part& part) -> Candidate {
    return {.about = "Filling " + std::to_string(count - part.size()) + " of " +
                     std::to_string(count) + " weights with one value",
            .make = [&keep, part](CandidateTools&) { return keep(part); }};
  };
  const Part needed = minimal_subset(count, [&](const Part& part, const Upcoming<Part>& next) {
    return tools.test.fails(candidate(part), made_of<Candidate, Part>(next, candidate));
  });
  return needed.size() < count ? std::make_unique<Model>(keep(needed)) : nullptr;
}

}  // namespace

extern constinit const Shrinker shrinker_weights = {
    .name = "weights", .phrase = "Simplifying weights", .order = 60, .shrink = shrink_model};

}  // namespace polygraphy
