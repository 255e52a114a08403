// The two sides of an edge, kept in step: a node's slots (TensorList) and a tensor's uses
// (NodeUses).
//
// A slot is linked into its tensor's use list by pointers inside the slot, so adding, replacing and
// removing one is O(1) for any fan-out of the tensor, other slots are never touched, and uses keep
// the order in which they were added. Every mutator validates before it links (strong guarantee).
// Graph inputs and outputs are plain vectors, not these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "graphsurgeon/ir/object.h"

namespace graphsurgeon {

class NodeUses;

// One input or output slot of a node. Owns its tensor.
struct Slot {
  TensorRef tensor;
  Node* node = nullptr;
  Slot* prev = nullptr;  // neighbours in the tensor's use list
  Slot* next = nullptr;
};

// A node's inputs or outputs, in order. Reads like a vector of Tensor*; never contains null (an
// omitted slot holds an empty-named tensor). Any mutation invalidates iterators of this list, and
// of the use lists of the tensors involved; use snapshot() to mutate while walking. Mutators throw
// Error, having changed nothing, for a null tensor and for an index out of range.
class TensorList {
 public:
  enum class Side : bool { kInputs, kOutputs };
  TensorList(Node& owner, Side side) : owner_(&owner), side_(side) {}
  ~TensorList();
  TensorList(const TensorList&) = delete;
  TensorList& operator=(const TensorList&) = delete;

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Tensor* operator[](size_t i) const { return slots_[i].tensor.get(); }
  Tensor* front() const { return slots_[0].tensor.get(); }
  Tensor* back() const { return slots_[size_ - 1].tensor.get(); }

  class const_iterator {
   public:
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = Tensor*;
    using pointer = Tensor* const*;
    using reference = Tensor*;
    explicit const_iterator(const Slot* slot = nullptr) : slot_(slot) {}
    Tensor* operator*() const { return slot_->tensor.get(); }
    const_iterator& operator++() {
      ++slot_;
      return *this;
    }
    const_iterator operator++(int) {
      auto old = *this;
      ++slot_;
      return old;
    }
    friend bool operator==(const_iterator, const_iterator) = default;

   private:
    const Slot* slot_;
  };
  const_iterator begin() const { return const_iterator(slots_); }
  const_iterator end() const { return const_iterator(slots_ + size_); }
  using value_type = Tensor*;
  using iterator = const_iterator;
  std::vector<TensorRef> snapshot() const;

  void set(size_t i, TensorRef tensor);
  void append(TensorRef tensor);
  // Before position i; i == size() appends. O(slots behind i).
  void insert(size_t i, TensorRef tensor);
  TensorRef erase(size_t i);
  // Removes the first slot that holds this tensor object. Returns false, and changes nothing, if no
  // slot holds it.
  bool remove(const Tensor& tensor);
  void clear();
  // Removes `count` slots from position i on. Returns their tensors.
  std::vector<TensorRef> erase(size_t i, size_t count);
  // Adds all at the end. Safe when they come from this list.
  void append(const std::vector<TensorRef>& tensors);
  bool contains(const Tensor& tensor) const;
  // Replaces the whole list. Safe when `tensors` comes from this list.
  void assign(std::vector<TensorRef> tensors);
  // The same with the tensors of another list (`a.outputs().assign(b.outputs())`), which keeps its
  // slots.
  void assign(const TensorList& other);
  void reserve(size_t n);

 private:
  friend class NodeUses;
  friend class NodeAccess;

  NodeUses& uses_of(Tensor& tensor) const;
  void check(const TensorRef& tensor) const;
  void check(size_t i, size_t limit) const;
  void link(Slot& slot, TensorRef tensor);
  void introduce(const Tensor& tensor);
  TensorRef unlink(Slot& slot);
  void move_slot(Slot& from, Slot& to);
  void pop_back_slot();
  bool contains(const Slot* slot) const { return slot >= slots_ && slot < slots_ + size_; }

  Slot* slots_ = nullptr;  // memory of the node's store; constructed up to capacity_
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
  Node* owner_;
  Side side_;
};

// The nodes that produce or consume a tensor. Non-owning. Forward iteration; size() is O(1).
class NodeUses {
 public:
  NodeUses() = default;
  NodeUses(const NodeUses&) = delete;
  NodeUses& operator=(const NodeUses&) = delete;

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Node* front() const { return head_->node; }

  class const_iterator {
   public:
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = Node*;
    using pointer = Node* const*;
    using reference = Node*;
    explicit const_iterator(const Slot* slot = nullptr) : slot_(slot) {}
    Node* operator*() const { return slot_->node; }
    const_iterator& operator++() {
      slot_ = slot_->next;
      return *this;
    }
    const_iterator operator++(int) {
      auto old = *this;
      slot_ = slot_->next;
      return old;
    }
    friend bool operator==(const_iterator, const_iterator) = default;

   private:
    const Slot* slot_;
  };
  const_iterator begin() const { return const_iterator(head_); }
  const_iterator end() const { return const_iterator(); }
  using value_type = Node*;
  using iterator = const_iterator;
  std::vector<NodeRef> snapshot() const;
  // The i-th use. O(i). Throws Error when there are fewer.
  Node* at(size_t i) const;

  // Erases the first slot through which `node` uses the tensor (the slots behind it move up).
  // Returns false if `node` does not use it. O(size()).
  bool remove(const Node& node);
  // Erases every slot that uses the tensor from its node's list (the slots behind it move up).
  void clear();

 private:
  friend class TensorList;
  Slot* head_ = nullptr;
  Slot* tail_ = nullptr;
  size_t size_ = 0;
};

}  // namespace graphsurgeon
