#include "graphsurgeon/ir/node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class NodeTest : public testing::Test {
 protected:
  NodeTest() { store_->retain(); }
  ~NodeTest() override { store_->release(); }

  template <typename T>
  static Attribute attribute(std::string_view name, AttributeType type, T value) {
    Attribute a;
    a.name = name;
    a.type = type;
    a.value = std::move(value);
    return a;
  }

  Store* store_ = Store::create();
};

TEST_F(NodeTest, HasAnOpANameAndADomain) {
  const NodeRef node = Node::create(*store_, "Conv", "c1", "com.microsoft");
  EXPECT_EQ(node->op(), "Conv");
  EXPECT_EQ(node->name(), "c1");
  EXPECT_EQ(node->domain(), "com.microsoft");
  node->set_overload("f32");
  node->set_doc_string("why");
  EXPECT_EQ(node->overload(), "f32");
  EXPECT_EQ(node->doc_string(), "why");
  EXPECT_EQ(Node::create(*store_, "Relu")->name(), "");
}

TEST_F(NodeTest, AttributesKeepTheirOrderAndTheirTexts) {
  const NodeRef node = Node::create(*store_, "Op");
  {
    const std::string name = "gone later";
    std::string text = "value";
    node->set_attribute(attribute("a", AttributeType::kInt, int64_t{1}));
    node->set_attribute(attribute(name, AttributeType::kString, std::string_view(text)));
    node->set_attribute(
        attribute("l", AttributeType::kStrings, std::vector<std::string_view>{text, text}));
    text = "xxxxx";
  }
  node->set_attribute(attribute("a", AttributeType::kFloat, 2.5f));
  ASSERT_THAT(node->attributes(), SizeIs(3));
  EXPECT_EQ(node->attributes()[0].as_float(), 2.5f);
  EXPECT_EQ(node->attribute("gone later")->as_string(), "value");
  EXPECT_THAT(std::get<std::vector<std::string_view>>(node->attribute("l")->value),
              ElementsAre("value", "value"));
  EXPECT_EQ(node->attribute("b"), nullptr);
  EXPECT_TRUE(node->remove_attribute("a"));
  EXPECT_EQ(node->attribute("a"), nullptr);
}

TEST_F(NodeTest, KnowsItsSubgraphs) {
  const NodeRef node = Node::create(*store_, "If");
  EXPECT_FALSE(node->has_subgraphs());
  const GraphRef a = Graph::create(*store_, "a");
  const GraphRef b = Graph::create(*store_, "b");
  node->set_attribute(attribute("one", AttributeType::kGraph, a));
  node->set_attribute(attribute("alpha", AttributeType::kFloat, 1.f));
  node->set_attribute(attribute("more", AttributeType::kGraphs, std::vector<GraphRef>{b, a}));
  EXPECT_TRUE(node->has_subgraphs());
  EXPECT_THAT(node->subgraphs(), ElementsAre(a, b, a));
  node->remove_attribute("one");
  EXPECT_TRUE(node->has_subgraphs());
  node->remove_attribute("more");
  EXPECT_FALSE(node->has_subgraphs());
  EXPECT_THAT(node->subgraphs(), IsEmpty());
}

TEST_F(NodeTest, ReplacesMetadataOfAKey) {
  const NodeRef node = Node::create(*store_, "Op");
  node->set_metadata("a", "1");
  node->set_metadata("b", "2");
  node->set_metadata("a", "3");
  EXPECT_EQ(node->unknown_fields(),
            "J\x06\n\x01"
            "b\x12\x01"
            "2J\x06\n\x01"
            "a\x12\x01"
            "3");
}

TEST_F(NodeTest, MapsTheNamesOfAGraph) {
  const GraphRef graph = Graph::create(*store_, "g");
  const TensorRef x = Tensor::variable(*store_, "x");
  const TensorRef twin = Tensor::variable(*store_, "x");
  const NodeRef node = Node::create(*store_, "Op");
  node->inputs().append(x);
  node->inputs().append(Tensor::empty(*store_));
  node->outputs().append(twin);
  node->outputs().append(Tensor::variable(*store_, "y"));
  graph->mutable_nodes().push_back(node);
  const auto map = graph->tensor_map();
  EXPECT_THAT(map, SizeIs(2));
  EXPECT_EQ(map.at("x"), x.get()) << "first come";
  EXPECT_EQ(map.at("y"), node->outputs()[1]);
}

}  // namespace
}  // namespace graphsurgeon
