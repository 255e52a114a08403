// Intrusively counted objects and the stores they live in.
//
// Nodes, tensors and graphs exist on their own: before a graph, outside of it, in several graphs at once.
// Each keeps its Store alive; a Store keeps alive the bytes (a mapped file, an arena of texts) that names
// and payloads of its objects are views of, and the slabs the objects come from. So a view returned by an
// object is valid as long as that object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace graphsurgeon {

class Object;

// Where a family of objects (all of one loaded model, or all made from scratch in one graph) lives.
class Store {
 public:
  static Store* create();  // count 0: owned by its first object

  // A copy of `text` that lives as long as the store.
  std::string_view keep(std::string_view text);
  // The same, but equal texts share one copy (op types, domains, attribute names).
  std::string_view intern(std::string_view text);
  // Keeps `owner` (a mapped file, the caller's buffer) alive as long as the store.
  void keep_alive(std::shared_ptr<const void> owner);

  // Grows with every edit of any object of this store. A model whose count is still that of its load is
  // written back byte for byte.
  uint64_t edits() const { return edits_; }
  void edited() { ++edits_; }

  void* allocate(size_t bytes, size_t alignment);  // slab memory, freed with the store

  void retain() { ++refs_; }
  void release();

 private:
  struct Impl;
  Store();
  ~Store();
  uint64_t refs_ = 0;
  uint64_t edits_ = 0;
  std::unique_ptr<Impl> impl_;
};

// Base of Tensor, Node, Graph, Function. Not thread-safe: a graph belongs to one thread at a time.
class Object {
 public:
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  Store& store() const { return *store_; }

  // An opaque pointer for language bindings, so that a foreign object's identity survives.
  void* binding = nullptr;

 protected:
  explicit Object(Store& store) : store_(&store) { store.retain(); }
  virtual ~Object();

 private:
  template <typename T>
  friend class Ref;
  void retain() { ++refs_; }
  void release();  // destroys at zero; iterative for chains

  Store* store_;
  uint32_t refs_ = 0;
};

// A counted, nullable handle. Compares by identity.
template <typename T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  Ref(T* object) : object_(object) {
    if (object_) object_->retain();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) object_->release();
  }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

class Tensor;
class Node;
class Graph;
class Function;
using TensorRef = Ref<Tensor>;
using NodeRef = Ref<Node>;
using GraphRef = Ref<Graph>;
using FunctionRef = Ref<Function>;

}  // namespace graphsurgeon
