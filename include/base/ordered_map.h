// An insertion-ordered map with string keys, as Python's dict in the original (the order of a
// runtime's outputs matters for printing, index-based matching and JSON). Lookup is O(1) amortised.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace polygraphy {

// Inserting an existing key replaces the value and keeps the first position (as Python does). A new
// key invalidates references, pointers and iterators: entries lie in a vector.
template <typename T>
class OrderedMap {
 public:
  using Entry = std::pair<std::string, T>;

  OrderedMap() = default;
  OrderedMap(std::initializer_list<Entry> entries) {
    for (const auto& [k, v] : entries) set(k, v);
  }

  T& set(std::string key, T value) {
    auto [it, inserted] = index_.try_emplace(key, entries_.size());
    if (!inserted) return entries_[it->second].second = std::move(value);
    return entries_.emplace_back(std::move(key), std::move(value)).second;
  }
  // Inserts a default value when the key is new.
  T& operator[](std::string_view key) {
    if (T* found = find(key)) return *found;
    return set(std::string(key), T{});
  }
  T* find(std::string_view key) {
    auto it = index_.find(key);
    return it == index_.end() ? nullptr : &entries_[it->second].second;
  }
  const T* find(std::string_view key) const { return const_cast<OrderedMap*>(this)->find(key); }
  bool contains(std::string_view key) const { return find(key) != nullptr; }

  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  void clear() {
    entries_.clear();
    index_.clear();
  }

  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  const Entry& at_index(size_t i) const { return entries_[i]; }
  Entry& at_index(size_t i) { return entries_[i]; }

 private:
  // Looks up views without making strings.
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view key) const { return std::hash<std::string_view>{}(key); }
  };

  std::vector<Entry> entries_;
  std::unordered_map<std::string, size_t, Hash, std::equal_to<>> index_;
};

}  // namespace polygraphy
