// Names to tensors, for one scope of a model that is being read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "graphsurgeon/ir/tensor.h"

namespace graphsurgeon {

// Open addressing with the hash beside the pointer: a look-up that misses touches one cache line, a
// hit one more for the name. (std::unordered_map took a third of the time to load a big model.)
// Does not own the tensors. Nothing depends on the order of the table.
class NameMap {
 public:
  NameMap() : table_(64) {}

  // The slot of `name`: holds its tensor, or null where there is none yet; then put one with that
  // name there and call added(). Valid until the next added().
  Tensor*& slot(std::string_view name) {
    const uint64_t hash = hash_of(name);
    for (size_t i = hash & (table_.size() - 1);; i = (i + 1) & (table_.size() - 1)) {
      Entry& entry = table_[i];
      if (!entry.tensor) entry.hash = hash;
      if (!entry.tensor || (entry.hash == hash && entry.tensor->name() == name)) {
        return entry.tensor;
      }
    }
  }
  void added() {
    if (++count_ * 2 > table_.size()) grow();
  }
  Tensor* find(std::string_view name) const {
    const uint64_t hash = hash_of(name);
    for (size_t i = hash & (table_.size() - 1);; i = (i + 1) & (table_.size() - 1)) {
      const Entry& entry = table_[i];
      if (!entry.tensor) return nullptr;
      if (entry.hash == hash && entry.tensor->name() == name) return entry.tensor;
    }
  }

 private:
  struct Entry {
    uint64_t hash = 0;
    Tensor* tensor = nullptr;
  };

  static uint64_t mix(uint64_t hash, uint64_t word) {
    const auto product = static_cast<unsigned __int128>(hash ^ word) * 0x9e3779b97f4a7c15u;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }
  static uint64_t hash_of(std::string_view name) {
    const char* p = name.data();
    size_t left = name.size();
    uint64_t hash = 0x51ed270b9f8b3a4du ^ left;
    uint64_t word;
    for (; left >= 8; p += 8, left -= 8) {
      std::memcpy(&word, p, 8);
      hash = mix(hash, word);
    }
    word = 0;
    if (left) std::memcpy(&word, p, left);
    return mix(hash, word);
  }
  void grow() {
    std::vector<Entry> old(table_.size() * 2);
    old.swap(table_);
    for (const Entry& entry : old) {
      if (!entry.tensor) continue;
      size_t i = entry.hash & (table_.size() - 1);
      while (table_[i].tensor) i = (i + 1) & (table_.size() - 1);
      table_[i] = entry;
    }
  }

  std::vector<Entry> table_;
  size_t count_ = 0;
};

}  // namespace graphsurgeon
