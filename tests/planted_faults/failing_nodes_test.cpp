// Every planted fault is reduced to the least that can show it, in few checks.

#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <set>

#include "built_runtime.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "models_with_faults.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/diagnosis/reduce/auto_reduce.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_tester.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/instance.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using graphsurgeon::Model;
using testing::ElementsAre;

constexpr int kPositions = 20;

// Operators of all graphs and functions.
std::multiset<std::string> operators_of(const Model& model) {
  std::multiset<std::string> ops;
  for (const graphsurgeon::Graph* graph : graphsurgeon::all_graphs(model)) {
    for (const auto& node : graph->nodes()) ops.emplace(node->op());
  }
  return ops;
}

// How a model fails; empty: it does not.
using Fault = std::function<std::string(const Model&)>;

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

// Has all of these operators. Where one is missing, others may fail differently.
Fault needs(std::vector<std::string> wanted, const std::string& other = "") {
  return [wanted, other](const Model& model) -> std::string {
    const auto ops = operators_of(model);
    if (std::all_of(wanted.begin(), wanted.end(), [&](const auto& op) { return ops.contains(op); }))
      return "exited with signal 11";
    return !other.empty() && ops.contains(other) ? "exited with 1: something else" : "";
  };
}

struct Left {
  Model model;
  int asked = 0;
  std::vector<std::string> ops;
};

class PlantedFaults : public testing::Test {
 protected:
  PlantedFaults() { fs::create_directories(folder_); }
  ~PlantedFaults() override { fs::remove_all(folder_); }

  Left reduce(const std::string& text, const Fault& fault, int samples = 1) {
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

  // One operator is at fault, at each position of a model of this number of nodes.
  void one_everywhere(int nodes, const std::function<Planted(int)>& plant, int most_checks) {
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

  // Softsign is at fault within a node of this operator, among twelve, in a model of 60 nodes.
  void only_inside(const std::string& op, const Planted& planted) {
    const Fault in_body = [](const Model& model) -> std::string {
      for (const graphsurgeon::Graph* graph : graphsurgeon::all_graphs(model)) {
        if (graph == model.graph.get()) continue;
        for (const auto& node : graph->nodes()) {
          if (node->op() == "Softsign") return "exited with signal 11";
        }
      }
      return "";
    };
    const Left left = reduce(model_with(60, planted), in_body);
    ASSERT_THAT(left.ops, ElementsAre(op));
    EXPECT_THAT(operators_of(left.model), ElementsAre(std::min<std::string>(op, "Softsign"),
                                                      std::max<std::string>(op, "Softsign")))
        << planted.nodes.begin()->first;
    EXPECT_LE(left.asked, bound(60 * 12, 4));
  }

  // Softsign is at fault where these operators and functions are around it, outer ones first, in a
  // model of 60 nodes.
  void only_within(const std::vector<std::string>& around, const Planted& planted) {
    const Fault within = [around](const Model& model) -> std::string {
      return holds(model, *model.graph, around, 0) ? "exited with signal 11" : "";
    };
    const Left left = reduce(model_with(60, planted), within);
    std::vector<std::string> wanted = around;
    wanted.emplace_back("Softsign");
    EXPECT_THAT(operators_of(left.model), testing::UnorderedElementsAreArray(wanted))
        << planted.nodes.begin()->first;
    EXPECT_LE(left.asked, bound(60 * 12, 12));
  }

  static bool holds(const Model& model, const graphsurgeon::Graph& graph,
                    const std::vector<std::string>& around, size_t depth) {
    const std::string wanted = depth < around.size() ? around[depth] : "Softsign";
    for (const auto& node : graph.nodes()) {
      if (node->op() != wanted) continue;
      if (depth == around.size()) return true;
      for (const auto& body : node->subgraphs()) {
        if (holds(model, *body, around, depth + 1)) return true;
      }
      for (const auto& function : model.functions) {
        if (function->name() == wanted && holds(model, *function, around, depth + 1)) return true;
      }
    }
    return false;
  }

  // The same where a body of such a node has the root.
  Fault gives_nan_within(const std::string& op) {
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

  // Runs the model, as `polygraphy run --validate` would.
  Fault gives_nan() {
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

  static int bound(int nodes, int constant) {
    return static_cast<int>(4 * std::log2(nodes)) + constant;
  }

  const fs::path folder_ = fs::path(testing::TempDir()) /
                           ("planted_faults_" + std::to_string(::getpid()) + "_" +
                            testing::UnitTest::GetInstance()->current_test_info()->name());
  Logger log_;
  BundledRuntime runtime_{built_paths(), log_};
};

TEST_F(PlantedFaults, ACrash) {
  one_everywhere(200, [](int) { return Planted{{{-1, "{y} = Softsign({x})"}}}; }, bound(200, 0));
}

// The result fails like the whole model, although a smaller part that fails differently is found
// first.
TEST_F(PlantedFaults, AMismatchAmongOtherFailures) {
  for (int i = 0; i < kPositions; ++i) {
    const int position = 3 + i * 6;
    const Left left = reduce(model_with(130, {{{position, "{y} = Softsign({x})"},
                                               {position - 2, "{y} = Cos({x})"},
                                               {position + 5, "{y} = Cos({x})"}}}),
                             needs({"Softsign"}, "Cos"));
    EXPECT_THAT(left.ops, ElementsAre("Softsign")) << position;
    EXPECT_LE(left.asked, bound(130, 0));
  }
}

TEST_F(PlantedFaults, APairFarApart) {
  for (int i = 0; i < kPositions; ++i) {
    const int first = i * 3, second = 199 - i * 4;
    const Left left =
        reduce(model_with(200, {{{first, "{y} = Softsign({x})"}, {second, "{y} = Cos({x})"}}}),
               needs({"Softsign", "Cos"}));
    EXPECT_THAT(std::set<std::string>(left.ops.begin(), left.ops.end()),
                ElementsAre("Cos", "Softsign"));
    EXPECT_EQ(left.ops.size(), 2u) << first;
    EXPECT_LE(left.asked, bound(200, 8)) << first;
  }
}

TEST_F(PlantedFaults, InABranch) {
  one_everywhere(
      60,
      [](int i) {
        return Planted{{{-1, in_if(chain_with(12, i % 12, "Softsign", "b"), i % 2 == 0)}}};
      },
      bound(60 * 12, 0));
}

TEST_F(PlantedFaults, InALoop) {
  one_everywhere(
      60, [](int i) { return Planted{{{-1, in_loop(chain_with(12, i % 12, "Softsign", "b"))}}}; },
      bound(60 * 12, 0));
}

TEST_F(PlantedFaults, InAScan) {
  one_everywhere(
      60, [](int i) { return Planted{{{-1, in_scan(chain_with(12, i % 12, "Softsign", "b"))}}}; },
      bound(60 * 12, 0));
}

TEST_F(PlantedFaults, InAnIfInALoop) {
  one_everywhere(
      60,
      [](int i) {
        return Planted{{{-1, in_loop(" m = Relu({x}) " + [&] {
                           std::string inner = in_if(chain_with(6, i % 6, "Softsign", "b"), false);
                           for (size_t at; (at = inner.find("{x}")) != std::string::npos;) {
                             inner.replace(at, 3, "m");
                           }
                           return inner;
                         }())}}};
      },
      bound(60 * 12, 4));
}

// The runtime handles the operator wrongly only there: the loop stays, with that node alone in it.
TEST_F(PlantedFaults, ThatFailsInALoopOnly) {
  for (int i = 0; i < kPositions; ++i) {
    only_inside("Loop", {{{i * 3, in_loop(chain_with(12, i % 12, "Softsign", "b"))}}});
  }
}

// Nothing is known of shapes inside.
TEST_F(PlantedFaults, ThatFailsInALoopOfOpenDimensionsOnly) {
  for (int i = 0; i < kPositions; ++i) {
    std::string loop = in_loop(chain_with(12, i % 12, "Softsign", "b"));
    for (const char* name : {"v", "w"}) {
      const std::string declared = std::string("float[2] ") + name;
      loop.replace(loop.find(declared), declared.size(), std::string("float[A] ") + name);
    }
    only_inside("Loop", {{{i * 3, loop}}});
  }
}

TEST_F(PlantedFaults, ThatFailsInAFunctionOnly) {
  for (int i = 0; i < kPositions; ++i) {
    only_inside("f", {{{i * 3, "{y} = local.f({x})"}},
                      function_around(chain_with(12, i % 12, "Softsign", "b"), "f")});
  }
}

TEST_F(PlantedFaults, InAFunction) {
  one_everywhere(
      60,
      [](int i) {
        return Planted{{{-1, "{y} = local.f({x})"}},
                       function_around(chain_with(12, i % 12, "Softsign", "b"), "f")};
      },
      bound(60 * 12, 0));
}

// Of a pair, one is enough with the values that the model gives it.
TEST_F(PlantedFaults, APairOrOneOfItOnRecordedValues) {
  const Fault fault = [](const Model& model) -> std::string {
    const auto ops = operators_of(model);
    for (const auto& node : model.graph->nodes()) {
      if (node->op() != "Softsign") continue;
      if (ops.contains("Cos") || node->inputs()[0]->is_constant()) return "exited with signal 11";
    }
    return "";
  };
  for (int i = 0; i < kPositions; ++i) {
    const Left left = reduce(
        model_with(60, {{{3 + i * 2, "{y} = Softsign({x})"}, {4 + i * 2, "{y} = Cos({x})"}}}),
        fault);
    EXPECT_THAT(left.ops, ElementsAre("Softsign")) << i;
    EXPECT_NE(fault(left.model), "") << i;
  }
}

// Nothing reads what it makes, but the runtime loads it.
TEST_F(PlantedFaults, InAFunctionWhereNothingReadsIt) {
  one_everywhere(
      60,
      [](int) {
        return Planted{{{-1, "{y} = local.f({x})"}},
                       function_around(" unread = Softsign({x}) {y} = Relu({x})", "f")};
      },
      bound(60, 12));
}

TEST_F(PlantedFaults, InABranchWhereNothingReadsIt) {
  one_everywhere(
      60,
      [](int i) {
        return Planted{{{-1, in_if(" unread = Softsign({x}) {y} = Relu({x})", i % 2 == 0)}}};
      },
      bound(60, 12));
}

TEST_F(PlantedFaults, InAFunctionThatAFunctionCalls) {
  one_everywhere(
      60,
      [](int i) {
        return Planted{{{-1, "{y} = local.outer({x})"}},
                       function_around(chain_with(6, i % 6, "Softsign", "b"), "f") +
                           function_around(chain_with(6, i % 6, "local.f", "c"), "outer")};
      },
      bound(60 * 12, 8));
}

// The fault needs all nodes around it: they stay, with that node alone in them.
TEST_F(PlantedFaults, ThatFailsTwoBodiesDeepOnly) {
  const auto chain = [](int position, const std::string& x) {
    return with_input(chain_with(6, position, "Softsign", "b"), x);
  };
  const std::string inner_loop =
      "{y} = Loop(n, yes, m) <body = c (int64 k, bool on, float[2] o) => (bool on_on, float[2] p) {"
      " on_on = Identity(on)";
  for (int i = 0; i < kPositions; ++i) {
    const std::string before = " m = Relu({x}) ";
    const std::string loop = before + inner_loop + with_output(chain(i % 6, "o"), "p") + " }>";
    only_within({"Loop", "Loop"}, {{{i * 3, in_loop(loop)}}});
    const std::string branch =
        before + with_input(in_if(chain_with(6, i % 6, "Softsign", "b"), i % 2 == 0), "m");
    only_within({"Loop", "If"}, {{{i * 3, in_loop(branch)}}});
    only_within({"If", "Loop"}, {{{i * 3, in_if(with_input(loop, "{x}"), i % 2 == 0)}}});
  }
}

TEST_F(PlantedFaults, ThatFailsInAFunctionInALoopOnly) {
  for (int i = 0; i < kPositions; ++i) {
    const std::string call = " m = Relu({x}) {y} = local.f(m)";
    const std::string function = function_around(chain_with(6, i % 6, "Softsign", "b"), "f");
    only_within({"Loop", "f"}, {{{i * 3, in_loop(call)}}, function});
  }
}

// A root of a negative number, in a Loop that has to stay: its values are what the model makes.
TEST_F(PlantedFaults, ANaNInALoopThatHasToStay) {
  for (int i = 0; i < kPositions; ++i) {
    const Left left = reduce(
        model_with(60, {{{i * 3, in_loop(" p = Sub({x}, three) q = Identity(p) r = Sqrt(q) {y} = "
                                         "Floor(r)")}}}),
        gives_nan_within("Loop"));
    EXPECT_THAT(operators_of(left.model), ElementsAre("Loop", "Sqrt")) << i;
    EXPECT_LE(left.asked, bound(60 * 4, 12)) << i;
  }
}

// Only there, or in a loop before it, are there negative numbers.
TEST_F(PlantedFaults, ANaNInTheThirdIterationOfALoopThatHasToStay) {
  const Left left = reduce(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] z)
    <int64 times = {10}, bool yes = {1}, float[2] one = {1, 1}, float[2] two = {2, 2}> {
      a = Identity(x)
      v, y = Loop(times, yes, a, a) <body = b (int64 i, bool go, float[2] p, float[2] sum)
          => (bool go_on, float[2] q, float[2] more) {
        go_on = Identity(go)  q = Sub(p, one)  r = Add(q, two)  s = Sqrt(r)  more = Add(sum, s)
      }>
      z = Relu(y)
    })",
                           gives_nan_within("Loop"));
  EXPECT_THAT(operators_of(left.model), ElementsAre("Loop", "Sqrt"));
  EXPECT_LE(left.asked, 60);
}

TEST_F(PlantedFaults, ANaNOfAnOuterValueInALoopThatHasToStay) {
  const Left left = reduce(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x, int64 n) => (float[2] z) <bool yes = {1}, float[2] three = {3, 3}> {
      k = Sub(x, three)
      a = Relu(x)
      y = Loop(n, yes, a) <body = b (int64 i, bool go, float[2] v) => (bool go_on, float[2] w) {
        go_on = Identity(go)  p = Exp(v)  s = Sqrt(k)  w = Add(p, s)
      }>
      z = Relu(y)
    })",
                           gives_nan_within("Loop"));
  EXPECT_THAT(operators_of(left.model), ElementsAre("Loop", "Sqrt"));
  EXPECT_LE(left.asked, 40);
}

TEST_F(PlantedFaults, ANaNTwoBodiesDeepThatHaveToStay) {
  const std::string branch =
      with_input(in_if(" p = Sub({x}, three) q = Identity(p) {y} = Sqrt(q)", true), "m");
  const Left left = reduce(
      model_with(60, {{{30, in_loop(" m = Relu({x}) " + branch)}}}), [&](const Model& model) {
        return operators_of(model).contains("If") ? gives_nan_within("Loop")(model) : "";
      });
  EXPECT_THAT(operators_of(left.model), ElementsAre("If", "Loop", "Sqrt"));
  EXPECT_LE(left.asked, bound(60 * 4, 30));
}

// In the second of three iterations of the outer loop, in the last one of the inner one.
TEST_F(PlantedFaults, ANaNInALaterIterationOfALoopInALoop) {
  const Left left = reduce(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] z)
    <int64 times = {3}, bool yes = {1}, float[2] one = {1, 1}, float[2] most = {4.5, 4.5}> {
      a = Relu(x)
      y = Loop(times, yes, a) <body = b (int64 i, bool go, float[2] v) => (bool go_on, float[2] w) {
        go_on = Identity(go)
        u = Identity(v)
        w = Loop(times, yes, u) <body = c (int64 k, bool on, float[2] p) => (bool on_on, float[2] h) {
          on_on = Identity(on)  q = Add(p, one)  r = Sub(most, q)  s = Abs(q)  t = Sqrt(r)
          f = Floor(t)  e = Sub(t, t)  h = Add(s, e)
        }>
      }>
      z = Relu(y)
    })",
                           [&](const Model& model) -> std::string {
                             const auto ops = operators_of(model);
                             return ops.count("Loop") == 2 ? gives_nan_within("Loop")(model) : "";
                           });
  EXPECT_THAT(operators_of(left.model), ElementsAre("Loop", "Loop", "Sqrt"));
  EXPECT_LE(left.asked, 80);
}

// The function has to stay; what its root reads comes from where it is called.
TEST_F(PlantedFaults, ANaNInAFunctionThatHasToStay) {
  const std::string function =
      function_around(" q = Sub({x}, a2) k = Identity(q) t = Sqrt(k) {y} = Floor(t)", "f");
  const auto within_function = [&](const Model& model) -> std::string {
    for (const auto& called : model.functions) {
      for (const auto& node : called->nodes()) {
        if (node->op() == "Sqrt") return gives_nan()(model);
      }
    }
    return "";
  };
  for (const bool in_a_loop : {false, true}) {
    std::string text = function;
    text.replace(text.find("(a)"), 3, "(a, a2)");
    const std::string call = "{y} = local.f({x}, three)";
    const Left left = reduce(
        model_with(
            60,
            {{{30, in_a_loop ? in_loop(" m = Relu({x}) " + with_input(call, "m")) : call}}, text}),
        [&](const Model& model) -> std::string {
          if (in_a_loop && !operators_of(model).contains("Loop")) return "";
          return within_function(model);
        });
    std::vector<std::string> wanted = {"Sqrt", "f"};
    if (in_a_loop) wanted.emplace_back("Loop");
    EXPECT_THAT(operators_of(left.model), testing::UnorderedElementsAreArray(wanted));
    EXPECT_LE(left.asked, 70);
  }
}

// NaN comes of values that only the model makes: a negative one, far before the root.
TEST_F(PlantedFaults, ANaNThatNeedsRecordedValues) {
  for (int i = 0; i < kPositions; ++i) {
    const int root = 4 + i * 4;
    Planted planted;
    planted.nodes[root % 2] = "{y} = Sub({x}, three)";
    for (int k = root % 2 + 2; k < root; k += 2) planted.nodes[k] = "{y} = Identity({x})";
    planted.nodes[root] = "{y} = Sqrt({x})";
    const Left left = reduce(model_with(90, planted), gives_nan());
    EXPECT_THAT(left.ops, ElementsAre("Sqrt")) << root;
    EXPECT_TRUE(left.model.graph->inputs().empty());
    EXPECT_LE(left.asked, bound(90, 0)) << root;
  }
}

// The values inside of bodies are worked out from those around them.
TEST_F(PlantedFaults, ANaNInABranchThatNeedsRecordedValues) {
  for (int i = 0; i < kPositions; ++i) {
    Planted planted;
    planted.nodes[i * 3] =
        in_if(" p = Sub({x}, three) q = Identity(p) r = Identity(q) {y} = Sqrt(r)", true);
    const Left left = reduce(model_with(60, planted), gives_nan());
    EXPECT_THAT(left.ops, ElementsAre("Sqrt")) << i;
    EXPECT_LE(left.asked, bound(60 * 4, 0)) << i;
  }
}

// Only the fourth of ten times is there a negative number: v - 1 + 3, with v in [0, 1) at first.
TEST_F(PlantedFaults, ANaNInALaterIteration) {
  const Left left = reduce(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] z)
    <int64 times = {10}, bool yes = {1}, float[2] one = {1, 1}, float[2] three = {3, 3}> {
      a = Identity(x)
      v, y = Loop(times, yes, a, a) <body = b (int64 i, bool go, float[2] p, float[2] sum)
          => (bool go_on, float[2] q, float[2] more) {
        go_on = Identity(go)  q = Sub(p, one)  r = Add(q, three)  s = Sqrt(r)  more = Add(sum, s)
      }>
      z = Relu(y)
    })",
                           gives_nan());
  EXPECT_THAT(left.ops, ElementsAre("Sqrt"));
  EXPECT_LE(left.asked, 25);
}

// Values on one sample do not hold on the other, so nothing is frozen.
TEST_F(PlantedFaults, OnlyWithTheSecondSample) {
  for (int i = 0; i < kPositions; ++i) {
    const int position = i * 5;
    bool frozen = false;
    const Left left = reduce(
        model_with(100, {{{position, "{y} = Softsign({x})"}, {99, "{y} = Cos({x})"}}}),
        [&](const Model& model) {
          frozen |= model.graph->initializers().size() > 2;
          return needs({"Softsign", "Cos"})(model);
        },
        2);
    EXPECT_EQ(left.ops.size(), 2u) << position;
    EXPECT_FALSE(frozen);
    EXPECT_LE(left.asked, bound(100, 0));
  }
}

// Then nothing can be recorded; types and shapes are what the model declares.
TEST_F(PlantedFaults, InAModelThatNoInputsAreMadeFor) {
  const Left left = reduce(R"(<ir_version: 8, opset_import: ["": 17]>
    g (seq(float[2]) s) => (float[2] y)
    <int64 first = {0}, float[2] a, float[2] b, float[2] c, float[2] d, float[2] e> {
      a = SequenceAt(s, first)  b = Neg(a)  c = Abs(b)  d = Softsign(c)  e = Exp(d)  y = Relu(e)
    })",
                           needs({"Softsign"}));
  EXPECT_THAT(left.ops, ElementsAre("Softsign"));
}

// Nothing can be run, then, and a body be looked into only as far as its shapes are declared.
TEST_F(PlantedFaults, InABodyOfAModelThatNoInputsAreMadeFor) {
  const Left left = reduce(R"(<ir_version: 8, opset_import: ["": 17]>
    g (seq(float[2]) s, bool c) => (float[2] y)
    <int64 first = {0}, float[2] a, float[2] b> {
      a = SequenceAt(s, first)
      b = If(c) <then_branch = t () => (float[2] p) { o = Softsign(a)  p = Exp(o) },
                 else_branch = e () => (float[2] q) { q = Abs(a) }>
      y = Relu(b)
    })",
                           [](const Model& model) -> std::string {
                             // The main graph alone does not show it.
                             const auto& outputs = model.graph->outputs();
                             return outputs.size() > 3 ? needs({"Softsign"})(model) : "";
                           });
  EXPECT_TRUE(operators_of(left.model).contains("Softsign"));
}

// Every other time, so that it never hides three times in a row.
TEST_F(PlantedFaults, AFlakyOne) {
  for (int i = 0; i < kPositions; ++i) {
    const int position = i * 7;
    int asked = i;
    const Left left = reduce(model_with(140, {{{position, "{y} = Softsign({x})"}}}),
                             [&](const Model& model) -> std::string {
                               const std::string how = needs({"Softsign"})(model);
                               return !how.empty() && ++asked % 2 == 0 ? "" : how;
                             });
    EXPECT_THAT(left.ops, ElementsAre("Softsign")) << position;
    EXPECT_LE(left.asked, 3 * bound(140, 0));
  }
}

}  // namespace
}  // namespace polygraphy
