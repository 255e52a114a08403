// diff() on the models of the onnx wheel's test data, and on models that were changed in a way that
// is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "graphsurgeon/diff/diff.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/arg.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> models() {
  std::vector<std::string> paths;
  for (const char* folder : {"pytorch-operator", "simple", "light"}) {
    const fs::path root = fs::path(PG_DEPS_DIR) / "onnx-testdata" / folder;
    if (!fs::exists(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() == ".onnx") paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The first change, for messages.
std::string first_of(const DiffReport& report) {
  if (!report.model.empty()) return report.model[0].what;
  if (report.graphs.empty()) return {};
  const GraphDiff& graph = report.graphs[0];
  for (const auto* list : {&graph.inputs, &graph.outputs, &graph.nodes, &graph.initializers}) {
    if (!list->empty()) return (*list)[0].op + ' ' + (*list)[0].name + ' ' + (*list)[0].details;
  }
  return graph.changes.empty() ? "" : graph.changes[0].what;
}

class DiffOfModels : public testing::Test {
 protected:
  void SetUp() override { ASSERT_GT(paths_.size(), 60u) << "set-up brings the test data"; }
  const std::vector<std::string> paths_ = models();
};

TEST_F(DiffOfModels, IsNothingBetweenAModelAndItself) {
  for (const std::string& path : paths_) {
    for (const bool names : {true, false}) {
      SCOPED_TRACE(path + (names ? "" : " without names"));
      const Model a = load_model(path), b = load_model(path);
      const DiffReport report = diff(a, b, {.names = names});
      EXPECT_TRUE(report.equal()) << first_of(report);
    }
  }
}

// In memory, so that no value is known to be the same by its place.
TEST_F(DiffOfModels, IsNothingBetweenAModelAndItsCopyWithTheNodesTurnedRound) {
  for (const std::string& path : paths_) {
    SCOPED_TRACE(path);
    const Model a = load_model(path);
    Model b = copy(a);
    for (const TensorRef& weight : b.graph->initializers()) {
      weight->replace_values(owned_payload(weight->values().clone()));
    }
    auto& nodes = b.graph->mutable_nodes();
    std::reverse(nodes.begin(), nodes.end());
    for (const bool names : {true, false}) {
      const DiffReport report = diff(a, b, {.names = names});
      EXPECT_TRUE(report.equal()) << names << ' ' << first_of(report);
    }
  }
}

TEST_F(DiffOfModels, TakesNoNamesForOtherNodesWhereNamesDoNotCount) {
  for (const std::string& path : paths_) {
    SCOPED_TRACE(path);
    const Model a = load_model(path);
    Model b = copy(a);
    int64_t next = 0;
    const auto name = [&](std::string_view what) {
      return std::string(what) + std::to_string(next++ * 7 % 1000003);
    };
    for (const NodeRef& node : b.graph->nodes()) {
      node->set_name(name("n"));
      for (Tensor* tensor : node->outputs()) {
        if (!tensor->is_empty()) tensor->set_name(name("t"));
      }
    }
    const DiffReport report = diff(a, b, {.names = false});
    EXPECT_TRUE(report.equal()) << first_of(report);
  }
}

// A node put in front of some: it and its one reader, nothing else.
TEST_F(DiffOfModels, NamesTheNodesConcerned) {
  for (const std::string& path : paths_) {
    const Model a = load_model(path);
    const size_t step = std::max<size_t>(1, a.graph->nodes().size() / 12);
    for (size_t at = 0; at < a.graph->nodes().size(); at += step) {
      Model b = copy(a);
      const NodeRef reader = b.graph->nodes()[at];
      if (reader->inputs().empty() || reader->inputs()[0]->is_empty()) continue;
      SCOPED_TRACE(path + " node " + std::to_string(at));
      const NodeRef node = Node::create(b.graph->store(), "Inserted");
      node->inputs().append(TensorRef(reader->inputs()[0]));
      node->outputs().append(b.graph->variable("inserted_output"));
      reader->inputs().set(0, TensorRef(node->outputs()[0]));
      b.graph->insert(at, node);
      for (const bool names : {true, false}) {
        const DiffReport report = diff(a, b, {.names = names});
        ASSERT_EQ(report.graphs.size(), 1u);
        const auto& nodes = report.graphs[0].nodes;
        ASSERT_EQ(nodes.size(), 2u) << names;
        EXPECT_EQ(nodes[0].op, "Inserted");
        EXPECT_EQ(nodes[0].state, DiffState::kAdded);
        EXPECT_EQ(nodes[1].after, at + 1);
        EXPECT_EQ(nodes[1].before, at);
        ASSERT_EQ(nodes[1].changes.size(), 1u);
        EXPECT_EQ(nodes[1].changes[0].what, "input 0");
        EXPECT_TRUE(report.graphs[0].initializers.empty());
      }
    }
  }
}

TEST(DiffOfFiles, ReadsNoValuesOfTheSameBytes) {
  const fs::path folder = fs::path(testing::TempDir()) / "gs_diff_files";
  fs::create_directories(folder);
  Model model =
      parse_onnx_text("g (float[4] x) => (y) <float[4] w = {1, 2, 3, 4}> { y = Add (x, w) }");
  SaveOptions options;
  options.durability = polygraphy::Durability::kNone;
  options.external_data.emplace();
  options.external_data_threshold = 0;
  const std::string one = (folder / "one.onnx").string(), two = (folder / "two.onnx").string();
  save_model(model, one, options);
  model.graph->initializers()[0]->edit_values<float>()[3] = 4.25f;
  save_model(model, two, options);
  const DiffReport same = diff(load_model(one), load_model(one), {.read_weights = false});
  EXPECT_TRUE(same.equal());
  const DiffReport report = diff(load_model(one), load_model(two));
  ASSERT_EQ(report.graphs.size(), 1u);
  ASSERT_EQ(report.graphs[0].initializers.size(), 1u);
  const WeightDiff& values = *report.graphs[0].initializers[0].values;
  EXPECT_EQ(values.different, 1);
  EXPECT_EQ(values.max_abs, 0.25);
  EXPECT_EQ(values.first, std::vector<int64_t>{3});
  fs::remove_all(folder);
}

}  // namespace
}  // namespace graphsurgeon
