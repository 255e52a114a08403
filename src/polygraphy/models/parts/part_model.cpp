#include "polygraphy/models/parts/part_model.h"

#include <algorithm>
#include <string>
#include <utility>

#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/models/parts/part_errors.h"

namespace polygraphy {
namespace {

// The dimensions that all samples have in common; other ones are not known.
DimList common_shape(const std::string& name, const std::vector<ArrayMap>& values) {
  DimList common = *info_of(*values.front().find(name)).shape;
  for (const ArrayMap& sample : values) {
    const Shape& shape = sample.find(name)->shape();
    for (size_t i = 0; i < common.size(); ++i) {
      if (i >= shape.size() || common[i] != Dim(shape[i])) common[i] = Dim();
    }
  }
  return common;
}

bool same_rank(const std::string& name, const std::vector<ArrayMap>& values) {
  return std::ranges::all_of(values, [&](const ArrayMap& sample) {
    return sample.find(name)->rank() == values.front().find(name)->rank();
  });
}

}  // namespace

graphsurgeon::Model part_model(const graphsurgeon::Model& model, const NodePart& part,
                               const std::vector<ArrayMap>& values, const ValueMap& fed) {
  const auto constant = [&](const std::string& name) -> const Array* {
    const Array* first = values.front().find(name);
    if (!first || !becomes_constant(*first)) return nullptr;
    const bool same = std::ranges::all_of(values, [&](const ArrayMap& sample) {
      const Array* value = sample.find(name);
      return value && value->shape() == first->shape() && bitwise_equal(*value, *first);
    });
    return same ? first : nullptr;
  };
  graphsurgeon::Model made = part_of(model, part, constant);
  for (const graphsurgeon::TensorRef& input : made.graph->inputs()) {
    const std::string name(input->name());
    if (const Value* value = fed.find(name); value && !value->as_tensor()) continue;
    for (const ArrayMap& sample : values) {
      if (sample.find(name)) continue;
      throw Error(kNotCut,
                  "The model cannot be cut into parts at '" + name + "', which is not a tensor");
    }
    input->set_dtype(values.front().find(name)->dtype());
    input->set_shape(same_rank(name, values) ? std::optional(common_shape(name, values))
                                             : std::nullopt);
  }
  return made;
}

}  // namespace polygraphy
