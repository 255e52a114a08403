// Whatever makes new tensors finds names for them that no tensor of the model has: neither another
// one, nor one of a nested graph, nor one that is not part of the model yet.

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "base/log.h"
#include "graphsurgeon/fold/fold.h"
#include "graphsurgeon/graphsurgeon.h"
#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/passes/float16.h"
#include "graphsurgeon/passes/size_upper_bounds.h"
#include "graphsurgeon/passes/splice.h"
#include "graphsurgeon/passes/testdata/texts.h"

namespace graphsurgeon {
namespace {

struct Case {
  const char* name;
  const char* graph;  // its tensors have the names that the change would like to give
  std::function<void(Model&)> change;
  std::vector<const char*> made = {};  // new tensors, where the text shows which
};

std::vector<Case> cases() {
  return {
      {"a layer with tensors that are not in the graph",
       "g (float[2] x) => (float[2] y) { y = Abs(x) }",
       [](Model& model) {
         Graph& graph = *model.graph;
         const TensorRef outer = graph.variable("y_0", DataType::kFloat32, {2});
         graph.mutable_inputs().push_back(outer);
         const TensorRef later = graph.variable("y_1", DataType::kFloat32, {2});
         graph.mutable_inputs().push_back(later);
         graph.layer({.op = "Sum", .inputs = {outer, later}, .outputs = {"y"}});
       },
       {"y_2"}},
      {"a layer with a tensor behind the text", "g (float[2] x) => (float[2] y) { y = Abs(x) }",
       [](Model& model) {
         Graph& graph = *model.graph;
         const TensorRef given =
             graph.variable("onnx_graphsurgeon_lst_constant_0", DataType::kFloat32, {2});
         graph.layer({.op = "Add", .inputs = {{1.0, 2.0}, given}, .outputs = {"z"}});
         graph.mutable_inputs().push_back(given);
       }},
      {"a layer beside a branch",
       R"(g (bool b, float[2] x) => (float[2] y) {
            y = If(b) <then_branch = t () => (float[2] z_0) { z_0 = Sin(x) },
                       else_branch = e () => (float[2] z_1) { z_1 = Cos(x) }>
          })",
       [](Model& model) {
         Graph& graph = *model.graph;
         graph.layer({.op = "Abs", .inputs = {graph.inputs()[1]}, .outputs = {"z"}});
       },
       {"z_2"}},
      {"a layer in a branch that reads an outer tensor",
       R"(g (bool b, float[2] x) => (float[2] y) {
            z_0 = Abs(x)
            y = If(b) <then_branch = t () => (float[2] s) { s = Sin(z_0) },
                       else_branch = e () => (float[2] r) { r = Cos(x) }>
          })",
       [](Model& model) {
         Graph& branch = *model.graph->nodes()[1]->subgraphs()[0];
         branch.layer({.op = "Abs",
                       .inputs = {TensorRef(branch.nodes()[0]->inputs()[0])},
                       .outputs = {"z"}});
       },
       {"z_1"}},
      {"two nodes at one place",
       "g (float[2] x) => (float[2] y) { a = Relu(x) y = Neg(a) }",
       [](Model& model) {
         for (int i = 0; i < 2; ++i) {
           const auto a = find_all(model, {"a"});
           insert_node(model, {.op = "Abs", .inputs = a, .outputs = a});
         }
       },
       {"a_polygraphy_surgeon_insert_output", "a_polygraphy_surgeon_insert_output_1"}},
      {"an output of a node that stays",
       R"(g (float[4] x) => (float[2] b, float[2] c, float[2] d) {
            a, b = Split(x)
            a_unused = Neg(b)
            c = Abs(a_unused)
            d = Neg(a)
          })",
       [](Model& model) {
         insert_node(
             model,
             {.op = "Abs", .inputs = find_all(model, {"b"}), .outputs = find_all(model, {"a"})});
       },
       {"a_unused_1"}},
      {"upper bounds of sizes",
       R"(g (float[N,3] x) => (int64[2] y, int64[2] z)
          <int64[2] s_upper_bound = {1, 2}> {
            s = Shape(x)
            s_copy = Add(s, s_upper_bound)
            y = Neg(s_copy)
            z = Abs(s)
          })",
       [](Model& model) { set_size_upper_bounds(*model.graph, {{find_all(model, {"s"})[0], 9}}); },
       {"s_copy_1", "s_upper_bound_1"}},
      {"casts to float16",
       R"(g (float[2] x) => (float[2] y) {
            x_float16 = Neg(x)
            y_float16 = Abs(x_float16)
            y = Exp(y_float16)
          })",
       [](Model& model) {
         polygraphy::Logger log;
         convert_to_float16(model, {}, log);
       }},
      {"a branch in place of its If",
       R"(g (float[2] x) => (float[2] y, float[2] z) <bool b = {1}> {
            s_subg_1_t = Neg(x)
            y = If(b) <then_branch = t () => (float[2] r) { s = Sin(x) r = Abs(s) },
                       else_branch = e () => (float[2] r) { r = Cos(x) }>
            z = Abs(s_subg_1_t)
          })",
       [](Model& model) {
         polygraphy::Logger log;
         fold_constants(model, {}, log);
       }},
  };
}

TEST(NewNames, AreFree) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    Model model =
        parse_onnx_text(std::string("<ir_version: 10, opset_import: [\"\": 17]> ") + one.graph);
    one.change(model);
    SCOPED_TRACE(to_onnx_text(model));
    std::multiset<std::string> defined;
    for (Graph* graph : inner_graphs_first(*model.graph)) {
      for (const TensorRef& tensor : graph->initializers()) defined.emplace(tensor->name());
      for (const TensorRef& tensor : graph->inputs()) defined.emplace(tensor->name());
      for (const NodeRef& node : graph->nodes()) {
        for (const Tensor* tensor : node->outputs()) defined.emplace(tensor->name());
      }
    }
    for (const std::string& name : defined) EXPECT_EQ(defined.count(name), 1u) << name;
    for (const char* name : one.made) EXPECT_TRUE(defined.contains(name)) << name;
    EXPECT_NO_THROW(check_model(model));
  }
}

}  // namespace
}  // namespace graphsurgeon
