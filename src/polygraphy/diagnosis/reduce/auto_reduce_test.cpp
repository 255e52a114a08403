#include "polygraphy/diagnosis/reduce/auto_reduce.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <tuple>

#include "base/error.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using graphsurgeon::Model;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Reads the candidate from its file, as a command does, and decides by the operators in it.
class OperatorCheck : public Check {
 public:
  using Fails = std::function<bool(const std::multiset<std::string>&)>;
  OperatorCheck(Fails fails, std::atomic<int>& asked) : fails_(std::move(fails)), asked_(asked) {}
  CheckResult run(const std::string& artifact) override {
    ++asked_;
    const Model model = graphsurgeon::load_model(artifact);
    std::multiset<std::string> ops;
    for (const graphsurgeon::Graph* graph : graphsurgeon::all_graphs(model)) {
      for (const auto& node : graph->nodes()) ops.emplace(node->op());
    }
    return {.passed = !fails_(ops)};
  }

 private:
  Fails fails_;
  std::atomic<int>& asked_;
};

struct Outcome {
  std::vector<std::string> ops;  // of the result; empty: no result
  int asked = 0;
  int64_t checks = 0;  // verdicts that counted
  std::string log;
};

class AutoReduceTest : public testing::Test {
 protected:
  AutoReduceTest() { fs::create_directories(folder_); }
  ~AutoReduceTest() override { fs::remove_all(folder_); }

  Outcome reduce(const std::string& text, OperatorCheck::Fails fails, int jobs = 1,
                 const std::vector<std::string>& start_at = {}) {
    Outcome outcome;
    std::atomic<int> asked = 0;
    Logger log([&](Severity, std::string_view message) { (outcome.log += message) += '\n'; });
    const Model model = graphsurgeon::parse_onnx_text(text);
    const MakeCheck make_check = [&](Logger&, CancelToken) {
      return std::make_unique<OperatorCheck>(fails, asked);
    };
    SubmodelRunner runtime(model, {}, {}, log);
    const auto feeds = generated_feeds({}, log);
    Intermediates intermediates(model, runtime, *feeds, log);
    const std::string artifact = (folder_ / "candidate.onnx").string();
    Logger silent;
    const auto feeds_ahead = generated_feeds({}, silent);
    Intermediates ahead(model, runtime, *feeds_ahead, silent);
    CandidateTester test(
        {.make_check = make_check,
         .loop = {.artifact = artifact},
         .others = OtherFailures::kPass,
         .jobs = jobs,
         .cache = true},
        model,
        [](const Model& candidate, const std::string& path, Logger&) {
          graphsurgeon::save_model(candidate, path);
        },
        intermediates, &ahead, log);
    const Reduction result = auto_reduce(model, intermediates, test, log, start_at);
    outcome.checks = test.checks();
    outcome.asked = asked;
    if (result.bad) {
      for (const auto& node : result.bad->graph->nodes()) outcome.ops.emplace_back(node->op());
    }
    return outcome;
  }

  static OperatorCheck::Fails has(std::vector<std::string> wanted) {
    return [wanted](const std::multiset<std::string>& ops) {
      return std::all_of(wanted.begin(), wanted.end(),
                         [&](const std::string& op) { return ops.contains(op); });
    };
  }

  fs::path folder_ = fs::path(testing::TempDir()) /
                     ("auto_reduce_test_" + std::to_string(::getpid()) + "_" +
                      testing::UnitTest::GetInstance()->current_test_info()->name());
};

// Types and shapes are declared, so that nothing has to be run.
std::string chain(int length, const std::map<int, std::string>& planted) {
  std::string nodes, infos;
  for (int i = 0; i < length; ++i) {
    const auto op = planted.find(i);
    nodes += " x" + std::to_string(i + 1) + " = " + (op == planted.end() ? "Neg" : op->second) +
             "(x" + std::to_string(i) + ")";
    if (i > 0) infos += (infos.empty() ? "" : ", ") + ("float[2] x" + std::to_string(i));
  }
  return R"(<ir_version: 8, opset_import: ["": 17]> g (float[2] x0) => (float[2] x)" +
         std::to_string(length) + ") <" + infos + "> {" + nodes + " }";
}

TEST_F(AutoReduceTest, FindsTheNodeAtFault) {
  for (const int position : {0, 1, 20, 38, 39}) {
    const Outcome outcome = reduce(chain(40, {{position, "Sin"}}), has({"Sin"}));
    EXPECT_THAT(outcome.ops, ElementsAre("Sin")) << position;
    EXPECT_LE(outcome.asked, 16) << position;
  }
}

TEST_F(AutoReduceTest, FindsTwoThatOnlyFailTogether) {
  const Outcome outcome = reduce(chain(40, {{3, "Sin"}, {35, "Cos"}}), has({"Sin", "Cos"}));
  EXPECT_THAT(outcome.ops, ElementsAre("Sin", "Cos"));
  EXPECT_LE(outcome.asked, 20);
}

TEST_F(AutoReduceTest, FindsTheNodeInABranch) {
  const Outcome outcome = reduce(R"(<ir_version: 8, opset_import: ["": 17]>
    g (bool b, float[2] x) => (float[2] y) <float[2] a, float[2] c> {
      a = Neg(x)
      c = If(b) <then_branch = t () => (float[2] s) { s = Sin(a) },
                 else_branch = e () => (float[2] r) { r = Cos(a) }>
      y = Relu(c)
    })",
                                 has({"Sin"}));
  EXPECT_THAT(outcome.ops, ElementsAre("Sin"));
}

// Constants of several elements stay whatever the shrinkers do: no progress is made with them.
TEST_F(AutoReduceTest, EndsWhereConstantsOfTextStay) {
  const Outcome outcome = reduce(R"(<ir_version: 8, opset_import: ["": 17]>
    g (int64[3] i) => (string[3] y) <string[3] t = {"a", "b", "c"}, string[3] g> {
      g = Gather(t, i)  y = Identity(g)
    })",
                                 has({"Gather"}));
  EXPECT_THAT(outcome.ops, ElementsAre("Gather"));
}

TEST_F(AutoReduceTest, AModelThatPassesHasNothingToReduce) {
  const Outcome outcome = reduce(chain(5, {}), has({"Sin"}));
  EXPECT_TRUE(outcome.ops.empty());
  // Twice as it is, and with all tensors as outputs.
  EXPECT_EQ(outcome.asked, 3);
}

TEST_F(AutoReduceTest, ACheckThatFailsOnNothingDecidesNothing) {
  int asked = 0;
  try {
    reduce(chain(40, {}), [&](const auto&) { return ++asked > 0; });
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("fails in the same way on an empty model"));
  }
  // The model twice, four candidates.
  EXPECT_EQ(asked, 2 + 4 + 1);
}

TEST_F(AutoReduceTest, AModelThatDoesNothingIsCheckedWhereNoSearchIsHeldUp) {
  const std::string log = reduce(chain(40, {{20, "Sin"}}), has({"Sin"})).log;
  const size_t nothing = log.find("an empty model");
  EXPECT_GT(nothing, log.rfind("Keeping 1 of 40 nodes"));
  EXPECT_LT(nothing, log.find("Reducing dimensions"));
}

TEST_F(AutoReduceTest, OneNodeIsHeldAgainstAModelThatDoesNothing) {
  const Outcome outcome = reduce(chain(1, {{0, "Sin"}}), has({"Sin"}));
  EXPECT_THAT(outcome.log, HasSubstr("an empty model"));
}

TEST_F(AutoReduceTest, AsksAgainWhereTheCheckIsFlaky) {
  int asked = 0;
  const Outcome outcome =
      reduce(chain(16, {{9, "Sin"}}), [&](const std::multiset<std::string>& ops) {
        return ops.contains("Sin") && ++asked % 2 == 1;  // every other time
      });
  EXPECT_THAT(outcome.ops, ElementsAre("Sin"));
  EXPECT_THAT(outcome.log, HasSubstr("is not deterministic"));
}

// As often as one at a time: a candidate passes only when all of its tries do.
TEST_F(AutoReduceTest, SideBySideAFlakyCheckFindsTheSame) {
  for (const int jobs : {2, 5}) {
    std::mutex mutex;
    std::map<std::multiset<std::string>, int> asked;
    const Outcome outcome = reduce(
        chain(16, {{9, "Sin"}}),
        [&](const std::multiset<std::string>& ops) {
          const std::lock_guard lock(mutex);
          return ++asked[ops] % 2 == 0 && ops.contains("Sin");
        },
        jobs);
    EXPECT_THAT(outcome.ops, ElementsAre("Sin")) << jobs;
    EXPECT_THAT(outcome.log, HasSubstr("is not deterministic")) << jobs;
  }
}

TEST_F(AutoReduceTest, StartsAtANodeThatFailsAlone) {
  for (const int position : {0, 20, 39}) {
    const auto model = chain(40, {{position, "Sin"}});
    const Outcome outcome = reduce(model, has({"Sin"}), 1, {"x" + std::to_string(position + 1)});
    EXPECT_THAT(outcome.ops, ElementsAre("Sin"));
    EXPECT_THAT(outcome.log, HasSubstr("Starting at ['x" + std::to_string(position + 1) + "']"));
    EXPECT_THAT(outcome.log, Not(HasSubstr("Keeping 20 of 40")));
    // The model twice, the node, an empty model, and the rest of the node.
    EXPECT_LE(outcome.asked, 6) << position;
    EXPECT_LT(outcome.asked, reduce(model, has({"Sin"})).asked) << position;
  }
}

// As of an engine that fuses it otherwise, or that takes no inner tensors as outputs.
TEST_F(AutoReduceTest, StartsAtANodeThatFailsOnlyAlone) {
  const Outcome outcome =
      reduce(chain(40, {{20, "Sin"}}),
             [](const auto& ops) { return ops.contains("Sin") && ops.size() < 40; }, 1, {"x21"});
  EXPECT_THAT(outcome.ops, ElementsAre("Sin"));
}

TEST_F(AutoReduceTest, StartsAmongTheNeighboursOfANode) {
  const auto model = chain(80, {{30, "Sin"}, {33, "Cos"}});
  const Outcome outcome = reduce(model, has({"Sin", "Cos"}), 1, {"x32"});
  EXPECT_THAT(outcome.ops, ElementsAre("Sin", "Cos"));
  EXPECT_THAT(outcome.log, HasSubstr("Keeping 5 of 80 nodes"));
  EXPECT_THAT(outcome.log, Not(HasSubstr("Keeping 40 of 80 nodes")));
  EXPECT_LT(outcome.asked, reduce(model, has({"Sin", "Cos"})).asked);
}

TEST_F(AutoReduceTest, StartsAtSeveralNodesAtOnce) {
  const auto model = chain(80, {{3, "Sin"}, {75, "Cos"}});
  const Outcome outcome = reduce(model, has({"Sin", "Cos"}), 1, {"x4", "x76"});
  EXPECT_THAT(outcome.ops, ElementsAre("Sin", "Cos"));
  EXPECT_THAT(outcome.log, HasSubstr("Keeping 2 of 80 nodes"));
  EXPECT_LE(outcome.asked, 10);
}

TEST_F(AutoReduceTest, SearchesTheWholeModelWhereNothingAroundANodeFails) {
  const Outcome outcome = reduce(chain(40, {{3, "Sin"}}), has({"Sin"}), 1, {"x38"});
  EXPECT_THAT(outcome.ops, ElementsAre("Sin"));
  EXPECT_THAT(outcome.log,
              HasSubstr("No part of the model around ['x38'] fails alone. Searching the whole"));
}

TEST_F(AutoReduceTest, StartsAtANodeThatNoOutputNeeds) {
  const Outcome outcome = reduce(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) <float[2] a, float[2] unread> {
      a = Neg(x)  unread = Sin(a)  y = Relu(a)
    })",
                                 has({"Sin"}), 1, {"unread"});
  EXPECT_THAT(outcome.ops, ElementsAre("Sin"));
  EXPECT_LE(outcome.asked, 6);
}

TEST_F(AutoReduceTest, StartsAtANodeThatOnlyFeedsConstants) {
  const Outcome outcome = reduce(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) <float[2] two = {2, 2}, float[2] a, float[2] b> {
      a = Sin(two)  b = Mul(x, a)  y = Relu(b)
    })",
                                 has({"Sin"}), 1, {"a"});
  EXPECT_THAT(outcome.ops, ElementsAre("Sin"));
  EXPECT_LE(outcome.asked, 6);
}

constexpr const char* kNested = R"(<ir_version: 8, opset_import: ["": 17, "f": 1]>
    g (bool b, int64 n, float[2] x) => (float[2] y) <float[2] a, float[2] c, float[2] d> {
      a = Neg(x)
      c = Loop(n, b, a) <body = l (int64 i, bool go, float[2] v) => (bool go_on, float[2] w)
          <float[2] p> {
        go_on = Identity(go)
        p = Abs(v)
        w = If(b) <then_branch = t () => (float[2] s) { q = Neg(p)  s = Sin(q) },
                   else_branch = e () => (float[2] r) { r = Abs(p) }>
      }>
      d = f.F(c)
      y = Relu(d)
    }
    <domain: "f", opset_import: ["": 17]> F (h) => (k) { j = Cos(h)  k = Neg(j) })";

TEST_F(AutoReduceTest, StartsAtANodeInABody) {
  const Outcome outcome = reduce(kNested, has({"Sin"}), 1, {"c/body/w/then_branch/s"});
  EXPECT_THAT(outcome.ops, ElementsAre("Sin"));
  EXPECT_LE(outcome.asked, 6);
}

TEST_F(AutoReduceTest, StartsAtANodeOfAFunction) {
  const Outcome outcome = reduce(kNested, has({"Cos"}), 1, {"j_of_d"});
  EXPECT_THAT(outcome.ops, ElementsAre("Cos"));
  EXPECT_THAT(outcome.log, Not(HasSubstr("No part of the model")));
}

TEST_F(AutoReduceTest, AStartThatIsNoNodeIsRefusedWithTheClosestOne) {
  try {
    reduce(kNested, has({"Cos"}), 1, {"c/body/w/then_branch/S2"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("has no node 'c/body/w/then_branch/S2'"));
    EXPECT_EQ(error.hint(),
              "Did you mean 'c/body/w/then_branch/s', 'c/body/w/then_branch/q' or "
              "'c/body/w/else_branch/r'?");
  }
}

std::string without_times(std::string log) {
  for (size_t at = 0; (at = log.find("Duration", at)) != std::string::npos; ++at) {
    log.erase(at, log.find('\n', at) - at);
  }
  return log;
}

// Verdicts arrive in another order, and more candidates are checked than needed.
TEST_F(AutoReduceTest, SideBySideEverythingIsTheSame) {
  const auto model = chain(40, {{3, "Sin"}, {35, "Cos"}});
  const Outcome alone = reduce(model, has({"Sin", "Cos"}));
  for (const int jobs : {2, 3, 8}) {
    const Outcome together = reduce(model, has({"Sin", "Cos"}), jobs);
    EXPECT_EQ(without_times(reduce(model, has({"Sin", "Cos"}), jobs, {"x20"}).log),
              without_times(reduce(model, has({"Sin", "Cos"}), 1, {"x20"}).log));
    EXPECT_EQ(together.ops, alone.ops);
    EXPECT_EQ(together.checks, alone.checks);
    EXPECT_GE(together.asked, together.checks);
    EXPECT_EQ(without_times(together.log), without_times(alone.log)) << jobs;
    EXPECT_TRUE(fs::is_empty(folder_));
  }
}

// Faults need any operators, and may depend on the number of other nodes.
TEST_F(AutoReduceTest, SideBySideEverythingIsTheSameWhateverFails) {
  std::mt19937 random(0);
  const auto below = [&](int end) {
    return std::uniform_int_distribution<int>(0, end - 1)(random);
  };
  for (int i = 0; i < 12; ++i) {
    const int length = 1 + below(30), divisor = 2 + below(4), rest = below(9);
    std::map<int, std::string> planted;
    std::vector<std::string> wanted;
    for (const char* op : {"Sin", "Cos", "Exp"}) {
      if (below(2) == 0) continue;
      planted[below(length)] = op;
      wanted.emplace_back(op);
    }
    const auto fails = [&](const std::multiset<std::string>& ops) {
      return has(wanted)(ops) && static_cast<int>(ops.count("Neg")) % divisor != rest;
    };
    const auto outcome = [&](int jobs) {
      try {
        const Outcome found = reduce(chain(length, planted), fails, jobs);
        return std::tuple(found.ops, found.checks, without_times(found.log));
      } catch (const Error& error) {  // nothing at all fails, too
        return std::tuple(std::vector<std::string>(), int64_t{0}, std::string(error.what()));
      }
    };
    EXPECT_EQ(outcome(2 + below(6)), outcome(1)) << i;
    EXPECT_TRUE(fs::is_empty(folder_));
  }
}

}  // namespace
}  // namespace polygraphy
