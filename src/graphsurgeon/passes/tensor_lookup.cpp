#include "graphsurgeon/passes/tensor_lookup.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/near_names.h"

namespace graphsurgeon {

Tensor* TensorLookup::find(std::string_view name) const {
  if (name.empty()) return nullptr;
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : found->second;
}

Tensor& TensorLookup::get(std::string_view name) const {
  if (Tensor* tensor = find(name)) return *tensor;
  std::vector<std::string_view> names;
  for (const auto& [known, tensor] : tensors_) {
    if (!known.empty()) names.push_back(known);
  }
  std::sort(names.begin(), names.end());
  const std::string message = "Tensor: " + std::string(name) + " does not exist in the model.";
  const std::string hint = polygraphy::did_you_mean(name, names);
  if (hint.empty()) throw polygraphy::Error(kNoSuchTensor, message);
  throw polygraphy::Error(message, hint);
}

}  // namespace graphsurgeon
