#include "graphsurgeon/ir/edge_list.h"

#include <algorithm>
#include <new>
#include <string>

#include "base/error.h"
#include "graphsurgeon/ir/node.h"
#include "graphsurgeon/ir/tensor.h"

namespace graphsurgeon {

namespace {
const char* name_of_side(TensorList::Side side) {
  return side == TensorList::Side::kInputs ? "inputs" : "outputs";
}
}  // namespace

TensorList::~TensorList() {
  while (size_ > 0) pop_back_slot();
  owner_->store().deallocate(slots_, capacity_ * sizeof(Slot));
}

NodeUses& TensorList::uses_of(Tensor& tensor) const {
  return side_ == Side::kInputs ? tensor.consumers() : tensor.producers();
}

void TensorList::check(const TensorRef& tensor) const {
  if (tensor) return;
  throw polygraphy::Error(
      std::string("a null tensor among the ") + name_of_side(side_) + " of node '" +
          std::string(owner_->name()) + "'",
      "Use Tensor::empty(), a tensor with the empty name, for an omitted slot.");
}

void TensorList::check(size_t i, size_t limit) const {
  if (i < limit) return;
  throw polygraphy::Error("node '" + std::string(owner_->name()) + "' has " +
                          std::to_string(size_) + " " + name_of_side(side_) + ", but no " +
                          std::to_string(i));
}

void TensorList::link(Slot& slot, TensorRef tensor) {
  NodeUses& uses = uses_of(*tensor);
  slot.tensor = std::move(tensor);
  slot.node = owner_;
  slot.next = nullptr;
  slot.prev = uses.tail_;
  (uses.tail_ ? uses.tail_->next : uses.head_) = &slot;
  uses.tail_ = &slot;
  ++uses.size_;
}

void TensorList::introduce(const Tensor& tensor) {
  Store& store = owner_->store();
  if (!store.watches_names() || tensor.is_empty()) return;
  store.introduce_name(&tensor.store() == &store ? tensor.name() : store.keep(tensor.name()));
}

TensorRef TensorList::unlink(Slot& slot) {
  NodeUses& uses = uses_of(*slot.tensor);
  (slot.prev ? slot.prev->next : uses.head_) = slot.next;
  (slot.next ? slot.next->prev : uses.tail_) = slot.prev;
  --uses.size_;
  slot.prev = slot.next = nullptr;
  return std::move(slot.tensor);
}

// The slot keeps its place in the use list.
void TensorList::move_slot(Slot& from, Slot& to) {
  NodeUses& uses = uses_of(*from.tensor);
  to = std::move(from);
  (to.prev ? to.prev->next : uses.head_) = &to;
  (to.next ? to.next->prev : uses.tail_) = &to;
}

void TensorList::pop_back_slot() {
  Slot& last = slots_[size_ - 1];
  const TensorRef old = unlink(last);
  --size_;
  last.~Slot();
}

void TensorList::reserve(size_t n) {
  if (n <= capacity_) return;
  auto* slots = static_cast<Slot*>(owner_->store().allocate(n * sizeof(Slot)));
  for (uint32_t i = 0; i < size_; ++i) {
    move_slot(slots_[i], *new (slots + i) Slot);
    slots_[i].~Slot();
  }
  owner_->store().deallocate(slots_, capacity_ * sizeof(Slot));
  slots_ = slots;
  capacity_ = static_cast<uint32_t>(n);
}

std::vector<TensorRef> TensorList::snapshot() const {
  std::vector<TensorRef> tensors;
  tensors.reserve(size_);
  for (uint32_t i = 0; i < size_; ++i) tensors.push_back(slots_[i].tensor);
  return tensors;
}

void TensorList::set(size_t i, TensorRef tensor) {
  check(i, size_);
  check(tensor);
  introduce(*tensor);
  const TensorRef old = unlink(slots_[i]);
  link(slots_[i], std::move(tensor));
  owner_->store().edited();
}

void TensorList::append(TensorRef tensor) {
  check(tensor);
  if (size_ == capacity_) reserve(capacity_ ? size_t{capacity_} * 2 : 2);
  introduce(*tensor);
  link(*new (slots_ + size_) Slot, std::move(tensor));
  ++size_;
  owner_->store().edited();
}

void TensorList::append(const std::vector<TensorRef>& tensors) {
  for (const TensorRef& tensor : tensors) check(tensor);
  reserve(size_ + tensors.size());
  for (const TensorRef& tensor : tensors) append(tensor);
}

void TensorList::insert(size_t i, TensorRef tensor) {
  check(i, size_t{size_} + 1);
  check(tensor);
  if (size_ == capacity_) reserve(capacity_ ? size_t{capacity_} * 2 : 2);
  introduce(*tensor);
  new (slots_ + size_) Slot;
  for (size_t k = size_; k > i; --k) move_slot(slots_[k - 1], slots_[k]);
  link(slots_[i], std::move(tensor));
  ++size_;
  owner_->store().edited();
}

TensorRef TensorList::erase(size_t i) {
  check(i, size_);
  TensorRef old = unlink(slots_[i]);
  for (size_t k = i + 1; k < size_; ++k) move_slot(slots_[k], slots_[k - 1]);
  slots_[--size_].~Slot();
  owner_->store().edited();
  return old;
}

std::vector<TensorRef> TensorList::erase(size_t i, size_t count) {
  if (count == 0) return {};
  check(i, size_);
  check(count - 1, size_ - i);
  std::vector<TensorRef> old;
  old.reserve(count);
  for (size_t k = i; k < i + count; ++k) old.push_back(unlink(slots_[k]));
  for (size_t k = i + count; k < size_; ++k) move_slot(slots_[k], slots_[k - count]);
  for (size_t k = 0; k < count; ++k) slots_[--size_].~Slot();
  owner_->store().edited();
  return old;
}

bool TensorList::contains(const Tensor& tensor) const {
  for (const Tensor* held : *this) {
    if (held == &tensor) return true;
  }
  return false;
}

bool TensorList::remove(const Tensor& tensor) {
  for (size_t i = 0; i < size_; ++i) {
    if (slots_[i].tensor.get() != &tensor) continue;
    erase(i);
    return true;
  }
  return false;
}

void TensorList::clear() {
  if (size_ == 0) return;
  while (size_ > 0) pop_back_slot();
  owner_->store().edited();
}

void TensorList::assign(const TensorList& other) {
  assign(other.snapshot());
}

void TensorList::assign(std::vector<TensorRef> tensors) {
  for (const TensorRef& tensor : tensors) check(tensor);
  reserve(tensors.size());
  while (size_ > 0) pop_back_slot();
  for (TensorRef& tensor : tensors) {
    introduce(*tensor);
    link(*new (slots_ + size_) Slot, std::move(tensor));
    ++size_;
  }
  owner_->store().edited();
}

std::vector<NodeRef> NodeUses::snapshot() const {
  std::vector<NodeRef> nodes;
  nodes.reserve(size_);
  for (const Slot* slot = head_; slot; slot = slot->next) nodes.emplace_back(slot->node);
  return nodes;
}

Node* NodeUses::at(size_t i) const {
  if (i >= size_) {
    throw polygraphy::Error("a tensor has " + std::to_string(size_) +
                            " uses on this side, but no use " + std::to_string(i));
  }
  const Slot* slot = head_;
  while (i-- > 0) slot = slot->next;
  return slot->node;
}

bool NodeUses::remove(const Node& node) {
  for (Slot* slot = head_; slot; slot = slot->next) {
    if (slot->node != &node) continue;
    TensorList& inputs = slot->node->inputs();
    TensorList& list = inputs.contains(slot) ? inputs : slot->node->outputs();
    const TensorRef keep = list.erase(static_cast<size_t>(slot - list.slots_));
    return true;
  }
  return false;
}

void NodeUses::clear() {
  if (size_ == 0) return;
  // The last erased slot may hold the last reference to the tensor, and so to this list.
  const TensorRef keep = head_->tensor;
  while (head_) {
    Node& node = *head_->node;
    TensorList& list = node.inputs().contains(head_) ? node.inputs() : node.outputs();
    list.erase(static_cast<size_t>(head_ - list.slots_));
  }
}

}  // namespace graphsurgeon
