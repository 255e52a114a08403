// Names of tensors as ONNX scopes them, while a model is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/tensor.h"

namespace graphsurgeon {

// A name and its hash, so that the hash is computed once.
struct Name {
  Name() = default;
  explicit Name(std::string_view t) : text(t), hash(hash_of(t)) {}

  static uint64_t hash_of(std::string_view text);

  std::string_view text;
  uint64_t hash = 0;
};

// Open addressing with the hash beside the pointer: a look-up that misses touches one cache line, a
// hit two more for the tensor's name. In big models these cache misses take longer
// than the rest of loading; prefetch() and prefetch_tensor() hide them where names are known in
// advance. Does not own the tensors. Nothing depends on the order of the table.
class TensorNameMap {
 public:
  TensorNameMap() : table_(64) {}

  // The slot of `name`: holds its tensor, or null; if null, put a tensor of that name there and
  // call added(). Valid until the next added().
  Tensor*& slot(const Name& name) {
    for (size_t i = name.hash & mask();; i = (i + 1) & mask()) {
      Entry& entry = table_[i];
      if (!entry.tensor) entry.hash = name.hash;
      if (!entry.tensor || (entry.hash == name.hash && entry.tensor->name() == name.text)) {
        return entry.tensor;
      }
    }
  }
  void added() {
    if (++count_ * 2 > table_.size()) grow();
  }
  Tensor* find(const Name& name) const {
    for (size_t i = name.hash & mask();; i = (i + 1) & mask()) {
      const Entry& entry = table_[i];
      if (!entry.tensor) return nullptr;
      if (entry.hash == name.hash && entry.tensor->name() == name.text) return entry.tensor;
    }
  }
  // Starts to fetch the table's line for `name`; then, a while later, the tensor of that line.
  void prefetch(const Name& name) const { __builtin_prefetch(&table_[name.hash & mask()], 1); }
  void prefetch_tensor(const Name& name) const {
    const Entry& entry = table_[name.hash & mask()];
    if (entry.hash == name.hash && entry.tensor) __builtin_prefetch(entry.tensor, 1);
  }

 private:
  struct Entry {
    uint64_t hash = 0;
    Tensor* tensor = nullptr;
  };

  size_t mask() const { return table_.size() - 1; }
  void grow() {
    std::vector<Entry> old(table_.size() * 2);
    old.swap(table_);
    for (const Entry& entry : old) {
      if (!entry.tensor) continue;
      size_t i = entry.hash & mask();
      while (table_[i].tensor) i = (i + 1) & mask();
      table_[i] = entry;
    }
  }

  std::vector<Entry> table_;
  size_t count_ = 0;
};

inline uint64_t Name::hash_of(std::string_view text) {
  const auto mix = [](uint64_t hash, uint64_t word) {
    const auto product = static_cast<unsigned __int128>(hash ^ word) * 0x9e3779b97f4a7c15u;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  };
  const char* p = text.data();
  size_t left = text.size();
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

// The tensors of a graph that is being read and of the graphs around it, by name. Tensors that are
// made here belong to the caller, who puts them into a Ref before anything can throw.
class TensorScope {
 public:
  // `outer`: the scope of the enclosing graph; null: no enclosing graph.
  TensorScope(Store& store, std::shared_ptr<TensorScope> outer)
      : store_(store), outer_(std::move(outer)) {}

  bool is_nested() const { return outer_ != nullptr; }
  const TensorNameMap& names() const { return names_; }
  // Another tensor of that name.
  Tensor* create(std::string_view name) { return TensorAccess::create(store_, name); }
  // The tensor of this graph; created if missing.
  Tensor* local(const Name& name);
  // The tensor of this graph, else of the nearest enclosing graph, else a new one of this graph.
  Tensor* resolve(const Name& name);

 private:
  Store& store_;
  std::shared_ptr<TensorScope> outer_;
  TensorNameMap names_;
};

}  // namespace graphsurgeon
