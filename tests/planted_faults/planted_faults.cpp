#include "planted_faults.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/diagnosis/reduce/auto_reduce.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_tester.h"
#include "polygraphy/runtimes/backend/instance.h"

namespace polygraphy {

namespace fs = std::filesystem;
using graphsurgeon::Model;
using testing::ElementsAre;

namespace {

class FaultCheck : public Check {
 public:
  FaultCheck(const Fault& fault, int& asked) : fault_(fault), asked_(asked) {}
  CheckResult run(const std::string& artifact) override {
    ++asked_;
    const Model model = graphsurgeon::load_model(artifact);
    EXPECT_EQ(graphsurgeon::checker_complaint(model), "");
    const std::string how = fault_(model);
    return {.passed = how.empty(), .signature = how};
  }

 private:
  const Fault& fault_;
  int& asked_;
};

}  // namespace

std::multiset<std::string> operators_of(const Model& model) {
  std::multiset<std::string> ops;
  for (const graphsurgeon::Graph* graph : graphsurgeon::all_graphs(model)) {
    for (const auto& node : graph->nodes()) ops.emplace(node->op());
  }
  return ops;
}

Fault needs(std::vector<std::string> wanted, const std::string& other) {
  return [wanted, other](const Model& model) -> std::string {
    const auto ops = operators_of(model);
    if (std::all_of(wanted.begin(), wanted.end(), [&](const auto& op) { return ops.contains(op); }))
      return "exited with signal 11";
    return !other.empty() && ops.contains(other) ? "exited with 1: something else" : "";
  };
}

PlantedFaults::PlantedFaults()
    : folder_(fs::path(testing::TempDir()) /
              ("planted_faults_" + std::to_string(::getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name())) {
  fs::create_directories(folder_);
}

PlantedFaults::~PlantedFaults() {
  fs::remove_all(folder_);
}

Left PlantedFaults::reduce(const std::string& text, const Fault& fault, int samples) {
  const Model model = graphsurgeon::parse_onnx_text(text);
  DataLoaderOptions loading;
  loading.iterations = samples;
  const auto feeds = generated_feeds(loading, log_);
  SubmodelRunner parts(model, built_program(), built_paths(), log_);
  Intermediates intermediates(model, parts, *feeds, log_);
  Left left;
  CheckingOptions checking;
  checking.make_check = [&](Logger&, CancelToken) {
    return std::make_unique<FaultCheck>(fault, left.asked);
  };
  checking.loop.artifact = (folder_ / "candidate.onnx").string();
  checking.others = OtherFailures::kPass;
  checking.cache = true;
  CandidateTester test(
      std::move(checking), model,
      [](const Model& candidate, const std::string& path, Logger&) {
        graphsurgeon::save_model(candidate, path, {.durability = Durability::kNone});
      },
      intermediates, nullptr, log_);
  Reduction result = auto_reduce(model, intermediates, test, log_);
  if (!result.bad) return left;
  left.model = std::move(*result.bad);
  for (const auto& node : left.model.graph->nodes()) left.ops.emplace_back(node->op());
  return left;
}

void PlantedFaults::one_everywhere(int nodes, const std::function<Planted(int)>& plant,
                                   int most_checks) {
  int most = 0;
  for (int i = 0; i < kPositions; ++i) {
    const int position = i * (nodes - 1) / (kPositions - 1);
    Planted planted = plant(i);
    planted.nodes[position] = planted.nodes.extract(-1).mapped();
    const Left left = reduce(model_with(nodes, planted), needs({"Softsign"}));
    EXPECT_THAT(left.ops, ElementsAre("Softsign")) << position;
    EXPECT_TRUE(left.model.functions.empty());
    EXPECT_LE(left.model.graph->inputs().size() + left.model.graph->outputs().size(), 2u);
    most = std::max(most, left.asked);
  }
  EXPECT_LE(most, most_checks);
  RecordProperty("checks", most);
}

Fault PlantedFaults::gives_nan_within(const std::string& op) {
  return [this, op](const Model& model) -> std::string {
    for (const auto& node : model.graph->nodes()) {
      if (node->op() != op) continue;
      for (const auto& body : node->subgraphs_recursive()) {
        for (const auto& inner : body->nodes()) {
          if (inner->op() == "Sqrt") return gives_nan()(model);
        }
      }
    }
    return "";
  };
}

Fault PlantedFaults::gives_nan() {
  return [this](const Model& model) -> std::string {
    const auto feeds = generated_feeds({}, log_);
    const auto feed = feeds->next(metadata_of_variables(model.graph->inputs()));
    const auto session = runtime_.load(model);
    for (const auto& [name, value] : tensors_of(run_model(*session, *feed))) {
      if (value.dtype() != DataType::kFloat32) continue;
      for (int64_t i = 0; i < value.size(); ++i) {
        if (std::isnan(value.get_double(i))) return "exited with 1: NaN";
      }
    }
    return "";
  };
}

}  // namespace polygraphy
