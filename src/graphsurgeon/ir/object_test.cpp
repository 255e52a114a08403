#include "graphsurgeon/ir/object.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {
namespace {

TEST(Store, LivesAsLongAsTheLastOfItsObjects) {
  auto owner = std::make_shared<int>(1);
  Store* store = Store::create();
  store->keep_alive(owner);
  TensorRef a = Tensor::variable(*store, "a");
  NodeRef node = Node::create(*store, "Relu");
  node->inputs().append(a);
  EXPECT_EQ(owner.use_count(), 2);
  a = nullptr;
  EXPECT_EQ(owner.use_count(), 2) << "the node still holds the tensor";
  const TensorRef kept(node->inputs()[0]);
  node = nullptr;
  EXPECT_EQ(kept->name(), "a");
  EXPECT_TRUE(kept->consumers().empty()) << "the node has unlinked itself";
  EXPECT_EQ(owner.use_count(), 2);
}

TEST(Store, GoesWithItsLastObject) {
  auto owner = std::make_shared<int>(1);
  {
    Store* store = Store::create();
    store->keep_alive(owner);
    const TensorRef a = Tensor::variable(*store, "a");
    EXPECT_EQ(owner.use_count(), 2);
  }
  EXPECT_EQ(owner.use_count(), 1);
}

class StoreTest : public testing::Test {
 protected:
  StoreTest() { store_->retain(); }
  ~StoreTest() override { store_->release(); }
  Store* store_ = Store::create();
};

TEST_F(StoreTest, KeepsTexts) {
  std::vector<std::pair<std::string, std::string_view>> kept;
  for (int i = 0; i < 2000; ++i) {
    std::string text(static_cast<size_t>(i) * 7 % 5000, static_cast<char>('a' + i % 26));
    kept.emplace_back(text, store_->keep(text));
  }
  for (const auto& [text, view] : kept) {
    EXPECT_EQ(view, text);
    EXPECT_NE(view.data(), nullptr);
  }
}

TEST_F(StoreTest, InternsEqualTextsOnce) {
  const std::string_view relu = store_->intern(std::string("Relu"));
  EXPECT_EQ(store_->intern("Relu").data(), relu.data());
  EXPECT_NE(store_->intern("Gelu").data(), relu.data());
  EXPECT_EQ(store_->adopt(relu).data(), relu.data());
  const std::string mine = "mine";
  EXPECT_NE(store_->adopt(mine).data(), mine.data());
  EXPECT_EQ(store_->adopt(std::string_view()).data(), nullptr);
}

TEST_F(StoreTest, UsesMemoryAgain) {
  void* first = store_->allocate(200);
  store_->deallocate(first, 200);
  EXPECT_EQ(store_->allocate(193), first) << "same rounded size";
  std::vector<void*> large;
  for (size_t bytes : {size_t{1}, size_t{4096}, size_t{1} << 20, size_t{5} << 20}) {
    void* memory = store_->allocate(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 16, 0u);
    std::memset(memory, 0xab, bytes);
    large.push_back(memory);
    store_->deallocate(memory, bytes);
  }
}

TEST_F(StoreTest, ReusesTheSlabsOfObjectsThatCameAndWent) {
  const Tensor* last = nullptr;
  for (int i = 0; i < 1000; ++i) {
    const TensorRef t = Tensor::variable(*store_, "t");
    if (last) {
      EXPECT_EQ(t.get(), last);
    }
    last = t.get();
  }
}

TEST_F(StoreTest, CountsEditsOfItsObjects) {
  const TensorRef t = Tensor::variable(*store_, "t");
  const NodeRef n = Node::create(*store_, "Relu");
  uint64_t before = store_->edits();
  const auto grew = [&] { return store_->edits() > std::exchange(before, store_->edits()); };
  EXPECT_FALSE(grew());
  t->set_name("u");
  EXPECT_TRUE(grew());
  t->set_dtype(DataType::kFloat32);
  EXPECT_TRUE(grew());
  t->set_shape(std::nullopt);
  EXPECT_TRUE(grew());
  t->set_doc_string("d");
  EXPECT_TRUE(grew());
  n->set_op("Gelu");
  EXPECT_TRUE(grew());
  n->inputs().append(t);
  EXPECT_TRUE(grew());
  n->inputs().remove(*t);
  EXPECT_TRUE(grew());
  EXPECT_FALSE(n->inputs().remove(*t));
  EXPECT_FALSE(grew());
  n->set_attribute({});
  EXPECT_TRUE(grew());
  (void)n->attributes();
  (void)n->subgraphs();
  EXPECT_FALSE(grew());
  const GraphRef g = Graph::create(*store_, "g");
  EXPECT_TRUE(grew());
  (void)g->nodes();
  EXPECT_FALSE(grew());
  g->mutable_nodes();
  EXPECT_TRUE(grew());
}

// A graph in an attribute of a node in a graph in an attribute …
TEST_F(StoreTest, DestroysDeepNestsWithoutRecursion) {
  GraphRef outer = Graph::create(*store_, "innermost");
  for (int i = 0; i < 200'000; ++i) {
    NodeRef node = Node::create(*store_, "If");
    Attribute body;
    body.name = "then_branch";
    body.type = AttributeType::kGraph;
    body.value = std::move(outer);
    node->set_attribute(std::move(body));
    outer = Graph::create(*store_);
    outer->mutable_nodes().push_back(std::move(node));
  }
  outer = nullptr;  // would overflow the stack
}

TEST_F(StoreTest, DestroysLongChains) {
  GraphRef graph = Graph::create(*store_);
  TensorRef last = Tensor::variable(*store_, "x");
  for (int i = 0; i < 200'000; ++i) {
    const NodeRef node = Node::create(*store_, "Relu");
    node->inputs().append(last);
    last = Tensor::variable(*store_, "t");
    node->outputs().append(last);
    graph->mutable_nodes().push_back(node);
  }
  graph = nullptr;
  EXPECT_EQ(last->producer(), nullptr);
}

TEST(Ref, ComparesByIdentity) {
  Store* store = Store::create();
  const TensorRef a = Tensor::variable(*store, "same");
  const TensorRef b = Tensor::variable(*store, "same");
  TensorRef c = a;
  EXPECT_EQ(a, c);
  EXPECT_FALSE(a == b);
  EXPECT_TRUE(same_name(*a, *b));
  c = b;
  EXPECT_EQ(b, c);
  c = nullptr;
  EXPECT_FALSE(c);
}

}  // namespace
}  // namespace graphsurgeon
