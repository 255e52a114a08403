// Intrusively counted objects and the stores they live in.
//
// Nodes, tensors and graphs exist independently: before a graph, outside of it, in several graphs
// at once. Each keeps its Store alive; a Store keeps alive the bytes (a mapped file, an arena of
// texts) that names and payloads of its objects are views of, and the slabs the objects come from.
// So a view returned by an object is valid as long as that object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace graphsurgeon {

class Object;
struct Source;

// The arena of a family of objects (all of one loaded model, or all made from scratch in one
// graph).
class Store {
 public:
  static Store* create();  // count 0: owned by its first object
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // A copy of `text` that lives as long as the store. Never a null view, so that an empty text
  // differs from an absent one.
  std::string_view keep(std::string_view text);
  // The same, but equal texts share one copy (op types, domains, attribute names).
  std::string_view intern(std::string_view text);
  // `text` itself if it is a view of the loaded bytes or of this store; else a copy.
  std::string_view adopt(std::string_view text);
  // Keeps `owner` (a mapped file, the caller's buffer) alive as long as the store.
  void keep_alive(std::shared_ptr<const void> owner);

  // The file that the objects were read from; null for a store made in memory.
  const std::shared_ptr<const Source>& source() const;
  void set_source(std::shared_ptr<const Source> source);

  // Grows with every edit of any object of this store. A model that was not edited since its load
  // is written back byte for byte.
  uint64_t edits() const { return edits_; }
  void edited() { ++edits_; }

  // For generating unused names: after watch_names(), new names of objects and names of tensors
  // that are put into slots are recorded by introduce_name() (a view kept by the store, or by an
  // object that lives as long). Amortised O(1) each.
  void watch_names() { watches_names_ = true; }
  bool watches_names() const { return watches_names_; }
  void introduce_name(std::string_view name);
  uint64_t introduced_names() const { return introduced_names_; }
  // True if `name` was recorded after the first `count` names.
  bool introduced_since(std::string_view name, uint64_t count) const;

  // Slab memory, 16-byte aligned, freed with the store. Returned blocks are reused for the same
  // (rounded) size.
  void* allocate(size_t bytes);
  void deallocate(void* memory, size_t bytes);

  void retain() { ++refs_; }
  void release() {
    if (--refs_ == 0) destroy();
  }

 private:
  struct Impl;
  Store();
  ~Store();
  void destroy();
  void* allocate_slow(size_t bytes);

  static constexpr size_t kGrain = 16;
  static constexpr size_t kSizeClasses = 64;  // up to 1 KiB; larger blocks are not reused

  uint64_t refs_ = 0;
  uint64_t edits_ = 0;
  uint64_t introduced_names_ = 0;
  bool watches_names_ = false;
  std::byte* slab_ = nullptr;  // the rest of the current slab
  std::byte* slab_end_ = nullptr;
  void* free_[kSizeClasses + 1] = {};
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
  // `bytes`: the size of the most derived object, which lies in memory of `store`.
  Object(Store& store, size_t bytes) : store_(&store), bytes_(static_cast<uint32_t>(bytes)) {
    store.retain();
  }
  virtual ~Object();

 private:
  template <typename T>
  friend class Ref;
  void retain() { ++refs_; }
  void release() {
    if (--refs_ == 0) destroy();
  }
  void destroy();  // destroys objects that this one owns alone, too, without recursion

  Store* store_;
  uint32_t refs_ = 0;
  uint32_t bytes_;
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
