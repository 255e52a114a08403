// Planted faults, several checks at a time: result, log, replay and the number of checks are those
// of one at a time.

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "built_runtime.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "models_with_faults.h"
#include "polygraphy/diagnosis/reduce/auto_reduce.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_tester.h"
#include "polygraphy/diagnosis/reduce/classic_reduce.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using graphsurgeon::Model;

// Fails where all of these operators are.
class Needs : public Check {
 public:
  explicit Needs(std::set<std::string> wanted) : wanted_(std::move(wanted)) {}
  CheckResult run(const std::string& artifact) override {
    const Model model = graphsurgeon::load_model(artifact);
    std::set<std::string> missing = wanted_;
    for (const graphsurgeon::Graph* graph : graphsurgeon::all_graphs(model)) {
      for (const auto& node : graph->nodes()) missing.erase(std::string(node->op()));
    }
    return {.passed = !missing.empty(), .signature = missing.empty() ? "it is there" : ""};
  }

 private:
  std::set<std::string> wanted_;
};

struct Case {
  const char* name;
  std::string model;
  std::set<std::string> wanted;
};

void PrintTo(const Case& each, std::ostream* out) {
  *out << each.name;
}

struct Seen {
  std::string result, log, replay;
  int64_t checks = 0;
};

class SideBySideFaults : public testing::TestWithParam<Case> {
 protected:
  SideBySideFaults() { fs::create_directories(folder_); }
  ~SideBySideFaults() override { fs::remove_all(folder_); }

  Seen reduce(int jobs, bool by_auto) {
    Seen seen;
    Logger log([&](Severity, std::string_view text) { (seen.log += text) += '\n'; });
    Logger silent;
    const Model model = graphsurgeon::parse_onnx_text(GetParam().model);
    SubmodelRunner runtime(model, built_program(), built_paths(), log),
        runtime_ahead(model, built_program(), built_paths(), silent);
    const auto feeds = generated_feeds({}, log), feeds_ahead = generated_feeds({}, silent);
    const auto values = std::make_shared<ActivationCache>();
    Intermediates intermediates(model, runtime, *feeds, log, values);
    Intermediates ahead(model, runtime_ahead, *feeds_ahead, silent, values);
    const std::string replay = (folder_ / "replay.json").string();
    CheckingOptions checking;
    checking.make_check = [](Logger&, CancelToken) {
      return std::make_unique<Needs>(GetParam().wanted);
    };
    checking.loop.artifact = (folder_ / "candidate.onnx").string();
    checking.loop.save_replay = replay;
    checking.others = OtherFailures::kPass;
    checking.jobs = jobs;
    checking.cache = by_auto;
    CandidateTester test(
        std::move(checking), model,
        [](const Model& candidate, const std::string& path, Logger&) {
          graphsurgeon::save_model(candidate, path, {.durability = Durability::kNone});
        },
        intermediates, &ahead, log);
    const Reduction found = by_auto ? auto_reduce(model, intermediates, test, log)
                                    : classic_reduce(model, {}, intermediates, test, log);
    seen.checks = test.checks();
    if (found.bad) seen.result = graphsurgeon::to_onnx_text(*found.bad);
    std::ostringstream text;
    text << std::ifstream(replay).rdbuf();
    seen.replay = text.str();
    for (size_t at = 0; (at = seen.log.find("Duration", at)) != std::string::npos; ++at) {
      seen.log.erase(at, seen.log.find('\n', at) - at);
    }
    return seen;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("side_by_side_faults_" + std::to_string(::getpid()));
};

TEST_P(SideBySideFaults, NothingDependsOnHowManyThereAre) {
  for (const bool by_auto : {true, false}) {
    const Seen alone = reduce(1, by_auto);
    EXPECT_NE(alone.result, "");
    EXPECT_NE(alone.replay, "");
    for (const int jobs : {2, 3, 6}) {
      const Seen together = reduce(jobs, by_auto);
      EXPECT_EQ(together.result, alone.result) << jobs;
      EXPECT_EQ(together.log, alone.log) << jobs;
      EXPECT_EQ(together.replay, alone.replay) << jobs;
      EXPECT_EQ(together.checks, alone.checks) << jobs;
    }
  }
}

std::vector<Case> cases() {
  const std::string fault = "{y} = Softsign({x})";
  return {
      {"AtTheFront", model_with(80, {{{0, fault}}}), {"Softsign"}},
      {"InTheMiddle", model_with(80, {{{43, fault}}}), {"Softsign"}},
      {"AtTheEnd", model_with(80, {{{79, fault}}}), {"Softsign"}},
      {"APair", model_with(80, {{{9, fault}, {66, "{y} = Cos({x})"}}}), {"Cos", "Softsign"}},
      {"InABranch",
       model_with(40, {{{11, in_if(chain_with(12, 7, "Softsign", "b"), true)}}}),
       {"Softsign"}},
      {"InALoopThatStays",
       model_with(40, {{{30, in_loop(chain_with(12, 3, "Softsign", "b"))}}}),
       {"Loop", "Softsign"}},
      {"InAFunction",
       model_with(40, {{{25, "{y} = local.f({x})"}},
                       function_around(chain_with(12, 5, "Softsign", "b"), "f")}),
       {"Softsign"}},
  };
}

INSTANTIATE_TEST_SUITE_P(Models, SideBySideFaults, testing::ValuesIn(cases()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace polygraphy
