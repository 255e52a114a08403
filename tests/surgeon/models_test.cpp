// Surgery on every model of the onnx package's test data that ONNX Runtime runs: the result
// computes the same, and the checker reports no new errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <unordered_map>
#include <unordered_set>

#include "built_runtime.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/extract.h"
#include "graphsurgeon/passes/toposort.h"
#include "polygraphy/model_tools/surgeon/verification/model_subset.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/instance.h"
#include "test_models.h"

namespace polygraphy {
namespace {

using graphsurgeon::load_model;
using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

using TestModels = OnTestModels;

TEST_F(TestModels, AreMany) {
  EXPECT_GT(models().size(), 1400u);
}

Model written_and_read(const Model& model) {
  const std::string bytes = graphsurgeon::encode_model(with_outputs(model, model.graph->outputs()));
  return graphsurgeon::load_model_from_bytes(std::as_bytes(std::span(bytes)), nullptr, model.path);
}

void reverse_nodes(Model& model) {
  auto& nodes = model.graph->mutable_nodes();
  std::reverse(nodes.begin(), nodes.end());
}

// One node or many: everything at once.
TEST_F(TestModels, EditedInEveryWayWrittenAndReadAgain) {
  expect_unchanged(Which::kAll, [](const TestModel& each) {
    Model model = load_model(each.path);
    reverse_nodes(model);
    graphsurgeon::toposort(model);
    Logger silent;
    graphsurgeon::infer_shapes(model, {}, silent);
    graphsurgeon::extract(model, model.graph->inputs(), model.graph->outputs());
    graphsurgeon::cleanup(model, {.remove_unused_node_outputs = true});
    return written_and_read(model);
  });
}

TEST_F(TestModels, WrittenFieldByFieldAndReadAgain) {
  expect_unchanged(Which::kGraphs,
                   [](const TestModel& each) { return written_and_read(load_model(each.path)); });
}

TEST_F(TestModels, CleanedUp) {
  expect_unchanged(Which::kGraphs, [](const TestModel& each) {
    Model model = load_model(each.path);
    graphsurgeon::cleanup(model);
    return model;
  });
}

TEST_F(TestModels, SortedFromReverse) {
  expect_unchanged(Which::kGraphs, [](const TestModel& each) {
    Model model = load_model(each.path);
    reverse_nodes(model);
    graphsurgeon::toposort(model);
    return model;
  });
}

TEST_F(TestModels, WithInferredShapes) {
  expect_unchanged(Which::kGraphs, [](const TestModel& each) {
    Model model = load_model(each.path);
    Logger silent;
    graphsurgeon::infer_shapes(model, {}, silent);
    return model;
  });
}

TEST_F(TestModels, ExtractedWhole) {
  expect_unchanged(Which::kGraphs, [](const TestModel& each) {
    Model model = load_model(each.path);
    graphsurgeon::extract(model, model.graph->inputs(), model.graph->outputs());
    return model;
  });
}

// A part of a model: the nodes between inputs and outputs of some of its nodes.
struct Part {
  std::vector<TensorRef> inputs, outputs;
};

// The nodes [first, last) of a sorted graph.
Part part_of(const Model& model, size_t first, size_t last) {
  const std::vector<NodeRef>& nodes = model.graph->nodes();
  const auto inside = [&](const graphsurgeon::NodeIndex& index, const graphsurgeon::Node& node) {
    const auto at = index.find(node);
    return at && *at >= first && *at < last;
  };
  const graphsurgeon::NodeIndex index(*model.graph);
  std::unordered_set<const Tensor*> seen, graph_outputs;
  for (const TensorRef& output : model.graph->outputs()) graph_outputs.insert(output.get());
  graphsurgeon::Captures captures;
  for (graphsurgeon::Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
    captures.add(*graph);
  }
  // Captures of subgraphs appear as consumers only inside of them.
  std::unordered_set<const Tensor*> captured_outside;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (i >= first && i < last) continue;
    captures.for_each(*nodes[i], [&](Tensor& tensor) { captured_outside.insert(&tensor); });
  }
  Part part;
  for (size_t i = first; i < last; ++i) {
    const auto add_input = [&](Tensor& tensor) {
      if (tensor.is_empty() || tensor.is_constant()) return;
      if (tensor.producer() && inside(index, *tensor.producer())) return;
      if (seen.insert(&tensor).second) part.inputs.emplace_back(&tensor);
    };
    for (Tensor* input : nodes[i]->inputs()) add_input(*input);
    captures.for_each(*nodes[i], add_input);
    for (Tensor* output : nodes[i]->outputs()) {
      if (output->is_empty()) continue;
      bool leaves = graph_outputs.contains(output) || captured_outside.contains(output) ||
                    output->consumers().empty();
      for (const graphsurgeon::Node* user : output->consumers()) leaves |= !inside(index, *user);
      if (leaves) part.outputs.emplace_back(output);
    }
  }
  return part;
}

// Runs the whole model once to learn what goes in and out of the part, then the part alone.
TEST_F(TestModels, ExtractedInParts) {
  size_t parts = 0;
  for (const TestModel& each : models()) {
    Model model = load_model(each.path);
    const size_t count = each.nodes;
    if (count < 3) continue;
    std::mt19937 random(static_cast<unsigned>(count));
    size_t first = random() % count, last = random() % count;
    if (first > last) std::swap(first, last);
    ++last;
    const Part part = part_of(model, first, last);
    std::vector<TensorRef> watched = part.outputs;
    for (const TensorRef& input : part.inputs) {
      if (input->producer()) watched.push_back(input);
    }
    TestModel expected;
    try {
      const ArrayMap seen =
          tensors_of(run_model(*runtime().load(with_outputs(model, watched)), each.feed));
      const ArrayMap given = tensors_of(each.feed);
      bool all_tensors = true;
      for (const TensorRef& output : part.outputs) {
        const Array* values = seen.find(std::string(output->name()));
        all_tensors &= values != nullptr;
        if (values) expected.outputs.set(std::string(output->name()), *values);
      }
      for (const TensorRef& input : part.inputs) {
        const std::string name(input->name());
        const Array* values = seen.find(name);
        if (!values) values = given.find(name);
        all_tensors &= values != nullptr;
        if (!values) continue;
        expected.feed.set(name, *values);
        input->set_dtype(values->dtype());
        input->set_shape(info_of(*values).shape);
      }
      if (!all_tensors) continue;
    } catch (const Error&) {  // outputs that the runtime does not deliver
      continue;
    }
    ++parts;
    graphsurgeon::extract(model, part.inputs, part.outputs);
    const std::string problem = worse_than_before(runtime(), expected, model);
    // ONNX Runtime inferred these shapes from nodes that are cut off now; it does not run such a
    // Scan.
    if (problem.find("Subgraph must have the shape set for all outputs") != std::string::npos) {
      continue;
    }
    EXPECT_EQ(problem, "") << each.name << ", nodes " << first << " to " << last;
  }
  EXPECT_GT(parts, 100u);
}

}  // namespace
}  // namespace polygraphy
