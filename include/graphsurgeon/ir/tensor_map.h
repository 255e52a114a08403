// Tensors by name, in order.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace graphsurgeon {

class Tensor;

// Result of Graph::tensors(). Does not own: names and pointers are valid as long as the graph holds
// the tensors, and names as long as they are not changed. Iterates over pairs of name and tensor.
class TensorMap {
 public:
  using Entry = std::pair<std::string_view, Tensor*>;

  // Null if the map lacks the name.
  Tensor* find(std::string_view name) const;
  // Throws Error for an unknown name, with the nearest one.
  Tensor* at(std::string_view name) const;
  Tensor* operator[](std::string_view name) const { return at(name); }
  bool contains(std::string_view name) const { return find(name) != nullptr; }

  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  void reserve(size_t n);
  // A known name keeps its place and gets the new tensor; returns the previous one, else null.
  Tensor* set(std::string_view name, Tensor* tensor);

 private:
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, size_t> places_;
};

}  // namespace graphsurgeon
