#include "graphsurgeon/ir/tensor_map.h"

#include <string>

#include "base/error.h"
#include "base/near_names.h"

namespace graphsurgeon {

Tensor* TensorMap::find(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : entries_[found->second].second;
}

Tensor* TensorMap::at(std::string_view name) const {
  if (Tensor* tensor = find(name)) return tensor;
  std::vector<std::string_view> names;
  names.reserve(entries_.size());
  for (const Entry& entry : entries_) names.push_back(entry.first);
  throw polygraphy::Error("there is no tensor named '" + std::string(name) + "' in the graph",
                          polygraphy::did_you_mean(name, names));
}

void TensorMap::reserve(size_t n) {
  entries_.reserve(n);
  places_.reserve(n);
}

Tensor* TensorMap::set(std::string_view name, Tensor* tensor) {
  const auto [place, is_new] = places_.try_emplace(name, entries_.size());
  if (is_new) {
    entries_.emplace_back(name, tensor);
    return nullptr;
  }
  return std::exchange(entries_[place->second].second, tensor);
}

}  // namespace graphsurgeon
