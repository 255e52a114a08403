#include "graphsurgeon/ir/edge_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class EdgeList : public testing::Test {
 protected:
  EdgeList() {
    store_->retain();
    for (const char* name : {"a", "b", "c"}) tensors_.push_back(Tensor::variable(*store_, name));
    for (const char* name : {"n", "m"}) nodes_.push_back(Node::create(*store_, "Op", name));
  }
  ~EdgeList() override {
    tensors_.clear();
    nodes_.clear();
    store_->release();
  }

  Tensor* tensor(size_t i) { return tensors_[i].get(); }
  Node* node(size_t i) { return nodes_[i].get(); }

  Store* store_ = Store::create();
  std::vector<TensorRef> tensors_;
  std::vector<NodeRef> nodes_;
};

TEST_F(EdgeList, KeepsBothSidesInStep) {
  node(0)->inputs().append(tensors_[0]);
  node(1)->inputs().append(tensors_[0]);
  node(0)->outputs().append(tensors_[1]);
  EXPECT_THAT(tensor(0)->consumers(), ElementsAre(node(0), node(1)));
  EXPECT_THAT(tensor(0)->producers(), IsEmpty());
  EXPECT_EQ(tensor(1)->producer(), node(0));

  node(0)->inputs().set(0, tensors_[2]);
  EXPECT_THAT(tensor(0)->consumers(), ElementsAre(node(1)));
  EXPECT_THAT(tensor(2)->consumers(), ElementsAre(node(0)));
}

TEST_F(EdgeList, ATensorUsedTwiceHasTheNodeTwice) {
  node(0)->inputs().append(tensors_[0]);
  node(0)->inputs().append(tensors_[0]);
  EXPECT_THAT(tensor(0)->consumers(), ElementsAre(node(0), node(0)));
  EXPECT_TRUE(node(0)->inputs().remove(*tensor(0)));
  EXPECT_THAT(tensor(0)->consumers(), ElementsAre(node(0)));
}

TEST_F(EdgeList, RemovesByIdentityNotByName) {
  const TensorRef twin = Tensor::variable(*store_, "a");
  node(0)->inputs().append(tensors_[0]);
  EXPECT_FALSE(node(0)->inputs().remove(*twin));
  EXPECT_EQ(node(0)->inputs().size(), 1u);
}

TEST_F(EdgeList, InsertsAndErasesAnywhere) {
  TensorList& inputs = node(0)->inputs();
  inputs.insert(0, tensors_[2]);
  inputs.insert(0, tensors_[0]);
  inputs.insert(1, tensors_[1]);
  EXPECT_THAT(inputs, ElementsAre(tensor(0), tensor(1), tensor(2)));
  EXPECT_EQ(inputs.erase(0).get(), tensor(0));
  EXPECT_THAT(inputs, ElementsAre(tensor(1), tensor(2)));
  EXPECT_THAT(tensor(0)->consumers(), IsEmpty());
  EXPECT_EQ(inputs.front(), tensor(1));
  EXPECT_EQ(inputs.back(), tensor(2));
}

TEST_F(EdgeList, RefusesNullAndOutOfRangeWithoutChangingAnything) {
  TensorList& inputs = node(0)->inputs();
  inputs.append(tensors_[0]);
  const auto unchanged = [&] {
    EXPECT_THAT(inputs, ElementsAre(tensor(0)));
    EXPECT_THAT(tensor(0)->consumers(), ElementsAre(node(0)));
    EXPECT_THAT(tensor(1)->consumers(), IsEmpty());
  };
  EXPECT_THROW(inputs.append(nullptr), polygraphy::Error);
  unchanged();
  EXPECT_THROW(inputs.set(0, nullptr), polygraphy::Error);
  unchanged();
  EXPECT_THROW(inputs.set(1, tensors_[1]), polygraphy::Error);
  unchanged();
  EXPECT_THROW(inputs.insert(2, tensors_[1]), polygraphy::Error);
  unchanged();
  EXPECT_THROW(inputs.erase(1), polygraphy::Error);
  unchanged();
  EXPECT_THROW(inputs.assign({tensors_[1], nullptr}), polygraphy::Error);
  unchanged();
}

TEST_F(EdgeList, AssignsFromItself) {
  TensorList& inputs = node(0)->inputs();
  inputs.assign({tensors_[0], tensors_[1]});
  inputs.assign(inputs.snapshot());
  EXPECT_THAT(inputs, ElementsAre(tensor(0), tensor(1)));
  node(1)->outputs().assign(inputs.snapshot());
  EXPECT_EQ(tensor(0)->producer(), node(1));
}

TEST_F(EdgeList, WalksASnapshotWhileEditing) {
  for (int i = 0; i < 3; ++i) node(0)->inputs().append(tensors_[0]);
  node(1)->inputs().append(tensors_[0]);
  for (const NodeRef& user : tensor(0)->consumers().snapshot()) {
    user->inputs().remove(*tensor(0));
  }
  EXPECT_THAT(tensor(0)->consumers(), IsEmpty());
}

TEST_F(EdgeList, ClearingUsesTakesTheTensorOutOfEveryNode) {
  node(0)->inputs().assign({tensors_[0], tensors_[1], tensors_[0]});
  node(1)->inputs().append(tensors_[0]);
  node(1)->outputs().append(tensors_[0]);
  tensor(0)->consumers().clear();
  EXPECT_THAT(node(0)->inputs(), ElementsAre(tensor(1)));
  EXPECT_THAT(node(1)->inputs(), IsEmpty());
  EXPECT_THAT(tensor(0)->producers(), ElementsAre(node(1)));
  tensor(0)->producers().clear();
  EXPECT_THAT(node(1)->outputs(), IsEmpty());
}

TEST_F(EdgeList, ClearingUsesMayDestroyTheTensor) {
  node(0)->inputs().append(Tensor::variable(*store_, "only here"));
  node(0)->inputs().front()->consumers().clear();
  EXPECT_THAT(node(0)->inputs(), IsEmpty());
}

TEST_F(EdgeList, ANodeThatGoesUnlinksItself) {
  node(0)->inputs().append(tensors_[0]);
  node(0)->outputs().append(tensors_[1]);
  node(1)->inputs().append(tensors_[0]);
  nodes_[0] = nullptr;
  EXPECT_THAT(tensor(0)->consumers(), ElementsAre(node(1)));
  EXPECT_THAT(tensor(1)->producers(), IsEmpty());
}

TEST_F(EdgeList, GrowingKeepsThePlacesInTheUseList) {
  for (int i = 0; i < 100; ++i) {
    node(0)->inputs().append(tensors_[static_cast<size_t>(i) % 3]);
    node(1)->inputs().insert(0, tensors_[0]);
  }
  EXPECT_EQ(tensor(0)->consumers().size(), 134u);
  std::vector<Node*> users(tensor(0)->consumers().begin(), tensor(0)->consumers().end());
  EXPECT_EQ(std::count(users.begin(), users.end(), node(0)), 34);
  EXPECT_EQ(users[0], node(0)) << "added first";
  EXPECT_EQ(users[1], node(1));
}

// After any edit of the lists both sides agree, in the order in which uses were added.

constexpr size_t kNodes = 3, kTensors = 4;

// The expected lists: slots with ids, and per tensor the ids in the order of linking.
struct Expected {
  struct SlotModel {
    size_t tensor;
    size_t id;
  };
  std::vector<SlotModel> slots[kNodes];
  std::vector<size_t> uses[kTensors];  // slot ids
  size_t next_id = 0;

  void link(SlotModel& slot, size_t tensor) {
    slot = {tensor, next_id++};
    uses[tensor].push_back(slot.id);
  }
  void unlink(const SlotModel& slot) { std::erase(uses[slot.tensor], slot.id); }
  std::vector<size_t> nodes_of(size_t tensor) const {
    std::map<size_t, size_t> node_of;
    for (size_t n = 0; n < kNodes; ++n) {
      for (const auto& slot : slots[n]) node_of[slot.id] = n;
    }
    std::vector<size_t> nodes;
    for (const size_t id : uses[tensor]) nodes.push_back(node_of.at(id));
    return nodes;
  }
};

TEST(EdgeListProperty, BothSidesAgreeAfterAnySequenceOfEdits) {
  EXPECT_TRUE(
      rc::check([](const std::vector<std::tuple<uint8_t, uint8_t, uint8_t, uint8_t>>& edits) {
        Store* store = Store::create();
        std::vector<TensorRef> tensors;
        std::vector<NodeRef> nodes;
        for (size_t i = 0; i < kTensors; ++i) tensors.push_back(Tensor::variable(*store, "t"));
        for (size_t i = 0; i < kNodes; ++i) nodes.push_back(Node::create(*store, "Op"));
        Expected expected;
        for (const auto& [what, n, t, where] : edits) {
          const size_t tensor = t % kTensors;
          const size_t node = n % kNodes;
          auto& slots = expected.slots[node];
          TensorList& list = nodes[node]->inputs();
          const size_t at = slots.empty() ? 0 : where % slots.size();
          switch (what % 8) {
            case 0:
            case 1:
              list.append(tensors[tensor]);
              expected.link(slots.emplace_back(), tensor);
              break;
            case 2:
              list.insert(at, tensors[tensor]);
              expected.link(*slots.emplace(slots.begin() + static_cast<long>(at)), tensor);
              break;
            case 3:
              if (slots.empty()) break;
              list.set(at, tensors[tensor]);
              expected.unlink(slots[at]);
              expected.link(slots[at], tensor);
              break;
            case 4:
              if (slots.empty()) break;
              list.erase(at);
              expected.unlink(slots[at]);
              slots.erase(slots.begin() + static_cast<long>(at));
              break;
            case 5: {
              const auto found = std::find_if(slots.begin(), slots.end(),
                                              [&](const auto& s) { return s.tensor == tensor; });
              RC_ASSERT(list.remove(*tensors[tensor]) == (found != slots.end()));
              if (found == slots.end()) break;
              expected.unlink(*found);
              slots.erase(found);
              break;
            }
            case 6: {
              // The other node's tensors, backwards.
              const size_t other = (node + 1) % kNodes;
              std::vector<TensorRef> all = nodes[other]->inputs().snapshot();
              std::reverse(all.begin(), all.end());
              auto copied = expected.slots[other];
              std::reverse(copied.begin(), copied.end());
              list.assign(all);
              while (!slots.empty()) {
                expected.unlink(slots.back());
                slots.pop_back();
              }
              for (const auto& slot : copied) expected.link(slots.emplace_back(), slot.tensor);
              break;
            }
            default:
              tensors[tensor]->consumers().clear();
              for (auto& list_of_node : expected.slots) {
                std::erase_if(list_of_node, [&](const auto& s) { return s.tensor == tensor; });
              }
              expected.uses[tensor].clear();
          }
        }
        for (size_t n = 0; n < kNodes; ++n) {
          RC_ASSERT(nodes[n]->inputs().size() == expected.slots[n].size());
          for (size_t i = 0; i < expected.slots[n].size(); ++i) {
            RC_ASSERT(nodes[n]->inputs()[i] == tensors[expected.slots[n][i].tensor].get());
          }
        }
        for (size_t t = 0; t < kTensors; ++t) {
          std::vector<Node*> users;
          for (const size_t node : expected.nodes_of(t)) users.push_back(nodes[node].get());
          const NodeUses& uses = tensors[t]->consumers();
          RC_ASSERT(uses.size() == users.size());
          RC_ASSERT(std::vector<Node*>(uses.begin(), uses.end()) == users);
        }
      }));
}

}  // namespace
}  // namespace graphsurgeon
