// Nodes that fail in branches, loops and functions, some of them only there.

#include <gmock/gmock.h>

#include <algorithm>

#include "graphsurgeon/io/model_visitor.h"
#include "planted_faults.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using testing::ElementsAre;

// Whether Softsign is within these operators and functions, from `depth` on.
bool holds(const Model& model, const graphsurgeon::Graph& graph,
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

class FaultsInBodies : public PlantedFaults {
 protected:
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
};

TEST_F(FaultsInBodies, InABranch) {
  one_everywhere(
      60,
      [](int i) {
        return Planted{{{-1, in_if(chain_with(12, i % 12, "Softsign", "b"), i % 2 == 0)}}};
      },
      bound(60 * 12, 0));
}

TEST_F(FaultsInBodies, InALoop) {
  one_everywhere(
      60, [](int i) { return Planted{{{-1, in_loop(chain_with(12, i % 12, "Softsign", "b"))}}}; },
      bound(60 * 12, 0));
}

TEST_F(FaultsInBodies, InAScan) {
  one_everywhere(
      60, [](int i) { return Planted{{{-1, in_scan(chain_with(12, i % 12, "Softsign", "b"))}}}; },
      bound(60 * 12, 0));
}

TEST_F(FaultsInBodies, InAnIfInALoop) {
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
TEST_F(FaultsInBodies, ThatFailsInALoopOnly) {
  for (int i = 0; i < kPositions; ++i) {
    only_inside("Loop", {{{i * 3, in_loop(chain_with(12, i % 12, "Softsign", "b"))}}});
  }
}

// Nothing is known of shapes inside.
TEST_F(FaultsInBodies, ThatFailsInALoopOfOpenDimensionsOnly) {
  for (int i = 0; i < kPositions; ++i) {
    std::string loop = in_loop(chain_with(12, i % 12, "Softsign", "b"));
    for (const char* name : {"v", "w"}) {
      const std::string declared = std::string("float[2] ") + name;
      loop.replace(loop.find(declared), declared.size(), std::string("float[A] ") + name);
    }
    only_inside("Loop", {{{i * 3, loop}}});
  }
}

TEST_F(FaultsInBodies, ThatFailsInAFunctionOnly) {
  for (int i = 0; i < kPositions; ++i) {
    only_inside("f", {{{i * 3, "{y} = local.f({x})"}},
                      function_around(chain_with(12, i % 12, "Softsign", "b"), "f")});
  }
}

TEST_F(FaultsInBodies, InAFunction) {
  one_everywhere(
      60,
      [](int i) {
        return Planted{{{-1, "{y} = local.f({x})"}},
                       function_around(chain_with(12, i % 12, "Softsign", "b"), "f")};
      },
      bound(60 * 12, 0));
}

// Nothing reads what it makes, but the runtime loads it.
TEST_F(FaultsInBodies, InAFunctionWhereNothingReadsIt) {
  one_everywhere(
      60,
      [](int) {
        return Planted{{{-1, "{y} = local.f({x})"}},
                       function_around(" unread = Softsign({x}) {y} = Relu({x})", "f")};
      },
      bound(60, 12));
}

TEST_F(FaultsInBodies, InABranchWhereNothingReadsIt) {
  one_everywhere(
      60,
      [](int i) {
        return Planted{{{-1, in_if(" unread = Softsign({x}) {y} = Relu({x})", i % 2 == 0)}}};
      },
      bound(60, 12));
}

TEST_F(FaultsInBodies, InAFunctionThatAFunctionCalls) {
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
TEST_F(FaultsInBodies, ThatFailsTwoBodiesDeepOnly) {
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

TEST_F(FaultsInBodies, ThatFailsInAFunctionInALoopOnly) {
  for (int i = 0; i < kPositions; ++i) {
    const std::string call = " m = Relu({x}) {y} = local.f(m)";
    const std::string function = function_around(chain_with(6, i % 6, "Softsign", "b"), "f");
    only_within({"Loop", "f"}, {{{i * 3, in_loop(call)}}, function});
  }
}

}  // namespace
}  // namespace polygraphy
