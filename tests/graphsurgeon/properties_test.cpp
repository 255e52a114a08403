// Properties of the library's algorithms on random models.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "graphsurgeon/testdata/random_model.h"
#include "meaning.h"

namespace graphsurgeon {
namespace {

Model any_model() {
  Model m = RandomModel(*rc::gen::arbitrary<uint32_t>(), *rc::gen::inRange(1, 30)).make();
  // The checker wants some shape.
  for (const TensorRef& t : m.graph->outputs()) {
    if (!t->shape()) t->set_shape(DimList{2});
  }
  return m;
}

Model reloaded(const std::string& bytes) {
  return load_model_from_bytes(std::as_bytes(std::span(bytes)), nullptr, "saved");
}

void shuffle_nodes(Model& m) {
  std::mt19937 random(*rc::gen::arbitrary<uint32_t>());
  for (const GraphRef& g : graphs_of(m)) {
    std::shuffle(g->mutable_nodes().begin(), g->mutable_nodes().end(), random);
  }
}

RC_GTEST_PROP(Property, RandomModelsAreValidAndSurviveSaving, ()) {
  const Model m = any_model();
  check_model(m);
  const std::string bytes = encode_model(m);
  Model again = reloaded(bytes);
  check_model(again);
  RC_ASSERT(meaning_of(again) == meaning_of(m));
  RC_ASSERT(structurally_equal(*again.graph, *m.graph));
  // The written model needs no further change.
  again.graph->store().edited();
  RC_ASSERT(encode_model(again) == bytes);
}

RC_GTEST_PROP(Property, CleanupKeepsOutputsAndIsDoneAtOnce, ()) {
  Model m = any_model();
  const size_t meaning = meaning_of(m);
  const CleanupOptions options{.remove_unused_node_outputs = *rc::gen::arbitrary<bool>(),
                               .remove_unused_graph_inputs = *rc::gen::arbitrary<bool>()};
  cleanup(m, options);
  RC_ASSERT(meaning_of(m) == meaning);
  check_model(m);
  const uint64_t edits = m.graph->store().edits();
  cleanup(m, options);
  RC_ASSERT(m.graph->store().edits() == edits);
  for (const GraphRef& g : graphs_of(m)) {
    for (const NodeRef& node : g->nodes()) {
      const auto used = [&](const Tensor* t) {
        return !t->consumers().empty() ||
               std::any_of(g->outputs().begin(), g->outputs().end(),
                           [&](const TensorRef& o) { return o.get() == t; });
      };
      RC_ASSERT(std::any_of(node->outputs().begin(), node->outputs().end(), used));
    }
  }
}

RC_GTEST_PROP(Property, ToposortSortsWhatWasShuffled, ()) {
  Model m = any_model();
  const size_t meaning = meaning_of(m);
  shuffle_nodes(m);
  toposort(m);
  RC_ASSERT(meaning_of(m) == meaning);
  check_model(m);  // requires sorted nodes
  const uint64_t edits = m.graph->store().edits();
  toposort(m);
  RC_ASSERT(m.graph->store().edits() == edits);
}

RC_GTEST_PROP(Property, ToposortFindsRealCycles, ()) {
  Model m = any_model();
  // From some node against the edges to one that it depends on; that one then reads the first.
  const auto& nodes = m.graph->nodes();
  const NodeRef last = nodes[*rc::gen::inRange<size_t>(0, nodes.size())];
  NodeRef first = last;
  std::set<const Node*> cycle{first.get()};
  for (int steps = *rc::gen::inRange(0, 5); steps > 0; --steps) {
    Node* next = nullptr;
    for (const Tensor* t : first->inputs()) {
      if (t->producer()) next = t->producer();
    }
    if (!next) break;
    first = next;
  }
  first->inputs().append(TensorRef(last->outputs()[0]));
  shuffle_nodes(m);
  const std::vector<NodeRef> before = m.graph->nodes();
  std::string message;
  try {
    toposort(m);
  } catch (const polygraphy::Error& error) {
    message = error.what();
  }
  RC_ASSERT(message.find("has a cycle of") != std::string::npos);
  RC_ASSERT(m.graph->nodes() == before);
}

RC_GTEST_PROP(Property, CopiesAreEqualAndIndependent, ()) {
  Model m = any_model();
  const std::string bytes = encode_model(m);
  {
    Model other = copy(m);
    RC_ASSERT(structurally_equal(other, m));
    RC_ASSERT(encode_model(other) == bytes);
    for (const GraphRef& g : graphs_of(other)) {
      for (const NodeRef& node : g->nodes()) {
        for (Tensor* t : node->outputs()) t->set_name("renamed" + std::string(t->name()));
        node->set_name("other");
        node->set_attribute("more", 1);
      }
      g->mutable_nodes().pop_back();
    }
    RC_ASSERT(!structurally_equal(other, m));
    RC_ASSERT(encode_model(m) == bytes);
  }
  // A copy lives on its own, and so does the copy of a loaded model.
  Model loaded = reloaded(bytes);
  Model second = copy(loaded);
  loaded = Model();
  RC_ASSERT(encode_model(second) == bytes);
  // Graphs in the same store.
  for (const GraphRef& g : graphs_of(m)) RC_ASSERT(structurally_equal(*copy(*g), *g));
  RC_ASSERT(encode_model(m) == bytes);
}

RC_GTEST_PROP(Property, GeneratedNamesAreUnique, ()) {
  Model m = any_model();
  Graph& g = *m.graph;
  std::mt19937 random(*rc::gen::arbitrary<uint32_t>());
  const auto& nodes = g.nodes();
  for (int i = 0; i < 50; ++i) {
    const NodeRef node = nodes[random() % nodes.size()];
    const std::string number = std::to_string(random() % 80);
    switch (random() % 5) {
      case 0:
        if (!g.tensors().contains("t_" + number)) {
          node->outputs()[0]->set_name("t_" + number);
        }
        break;
      case 1:
        if (!g.tensors().contains("u_" + number)) {
          node->inputs().append(g.variable("u_" + number));
        }
        break;
      case 2:
        if (!g.tensors().contains("t_" + number)) {
          g.mutable_outputs().push_back(g.variable("t_" + number));
        }
        break;
      default:
        g.layer({.op = "Add",
                 .inputs = {node->outputs()[0], 1},
                 .outputs = {random() % 2 ? "t" : "u"}});
    }
  }
  g.tensors(true);  // throws for two objects of one name
  std::multiset<std::string_view> generated;
  for (const NodeRef& node : nodes) {
    if (node->name().starts_with("onnx_graphsurgeon_node")) generated.insert(node->name());
  }
  RC_ASSERT(std::set<std::string_view>(generated.begin(), generated.end()).size() ==
            generated.size());
}

}  // namespace
}  // namespace graphsurgeon
