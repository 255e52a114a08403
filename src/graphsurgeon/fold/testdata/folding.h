// Helpers for tests of rules: fold a model in text form, and check the properties that every
// folding must keep.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/fold/fold.h"
#include "graphsurgeon/fold/rule.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/passes/cleanup.h"

namespace graphsurgeon {

// Refuses to compute: the rules have to fold in these tests.
class NoEvaluator final : public Evaluator {
 public:
  std::vector<Array> evaluate(const Model&,
                              const std::vector<std::pair<std::string, Array>>&) override {
    ADD_FAILURE() << "the evaluator was asked";
    return {};
  }
};

struct Folded {
  Model model;
  FoldReport report;
  std::string nodes;     // "y = Relu(x); z = Add(y, c)"
  std::string warnings;  // of the logger

  // "int64[2]{3,4}"; "-" for a tensor that is not a constant.
  std::string constant(std::string_view name) const;
  // Names of the rules that did something, each once: "cast concat".
  std::string rules() const;
  // "node (Op): why; …"
  std::string refusals() const;
};

inline std::string node_list(const Graph& graph) {
  std::string text;
  for (const NodeRef& node : graph.nodes()) {
    if (!text.empty()) text += "; ";
    for (const Tensor* t : node->outputs())
      text += (t == node->outputs().front() ? "" : ", ") + std::string(t->name());
    text += " = " + std::string(node->op()) + "(";
    for (size_t i = 0; i < node->inputs().size(); ++i)
      text += (i ? ", " : "") + std::string(node->inputs()[i]->name());
    text += ")";
  }
  return text;
}

inline std::string text_of(const Array& array) {
  std::string text(polygraphy::name_of(array.dtype()));
  text += '[';
  for (size_t i = 0; i < array.shape().size(); ++i)
    text += (i ? "," : "") + std::to_string(array.shape()[i]);
  text += "]{";
  for (int64_t i = 0; i < array.size(); ++i) {
    if (i > 0) text += ',';
    if (array.dtype() == DataType::kString) {
      text += array.strings()[static_cast<size_t>(i)];
    } else if (polygraphy::is_floating(array.dtype())) {
      std::string number = std::to_string(array.get_double(i));
      number.erase(number.find_last_not_of('0') + 1);
      if (number.back() == '.') number.pop_back();
      text += number;
    } else {
      text += std::to_string(array.get_int64(i));
    }
  }
  return text + '}';
}

inline std::string Folded::constant(std::string_view name) const {
  const auto tensors = model.graph->tensor_map();
  const auto found = tensors.find(name);
  if (found == tensors.end()) return "no such tensor";
  if (!found->second->is_constant()) return "-";
  return text_of(found->second->payload()->load(name));
}

inline std::string Folded::rules() const {
  std::set<std::string> names;
  for (const Rewrite& rewrite : report.rewrites) names.emplace(rewrite.rule);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

inline std::string Folded::refusals() const {
  std::string text;
  for (const Refusal& r : report.refusals) {
    text +=
        (text.empty() ? "" : "; ") + std::string(r.node) + " (" + std::string(r.op) + "): " + r.why;
  }
  return text;
}

// Tensors and nodes have unique names over all nested graphs of one root.
inline void expect_unique_names(Graph& root) {
  std::set<std::string_view> tensors;
  for (const Graph* graph : inner_graphs_first(root)) {
    std::set<std::string_view> nodes;
    for (const NodeRef& node : graph->nodes()) {
      if (!node->name().empty()) {
        EXPECT_TRUE(nodes.insert(node->name()).second) << "two nodes: " << node->name();
      }
      for (const Tensor* t : node->outputs()) {
        if (t->is_empty()) continue;
        EXPECT_TRUE(tensors.insert(t->name()).second) << "two tensors: " << t->name();
      }
    }
    for (const TensorRef& t : graph->initializers()) {
      EXPECT_TRUE(tensors.insert(t->name()).second) << "two tensors: " << t->name();
    }
  }
}

// Outputs of nodes; `constants`: also of Constant nodes.
inline std::set<std::string> produced_tensors(Model& model, bool constants) {
  std::set<std::string> names;
  const auto add = [&](Graph& root) {
    for (const Graph* graph : inner_graphs_first(root)) {
      for (const NodeRef& node : graph->nodes()) {
        if (!constants && node->op() == "Constant") continue;
        for (const Tensor* t : node->outputs()) names.emplace(t->name());
      }
    }
  };
  add(*model.graph);
  for (const FunctionRef& function : model.functions) add(*function);
  return names;
}

// Folds and cleans up, and expects the invariants of every fold: the checker is content
// before and after, names are unique, every tensor that the report names lost its producer, and a
// second run changes nothing.
inline Folded fold(Model model, FoldOptions options = {}) {
  Folded result;
  NoEvaluator none;
  if (options.evaluator == nullptr) options.evaluator = &none;
  polygraphy::Logger logger([&](polygraphy::Severity severity, std::string_view text) {
    if (severity >= polygraphy::Severity::kWarning) result.warnings.append(text).append("\n");
  });
  EXPECT_NO_THROW(check_model(model));
  const std::set<std::string> produced = produced_tensors(model, true);
  result.report = fold_constants(model, options, logger);
  const std::set<std::string> left = produced_tensors(model, false);
  const bool flattened = result.rules().find("flatten-if") != std::string::npos;
  for (const Rewrite& rewrite : result.report.rewrites) {
    if (rewrite.rule == "flatten-if") continue;
    for (const std::string_view name : rewrite.tensors) {
      const std::string tensor(name);
      // Flattening renames.
      EXPECT_TRUE(flattened || produced.contains(tensor)) << tensor << " had no producer";
      EXPECT_FALSE(left.contains(tensor)) << tensor << " still has a producer";
    }
  }
  cleanup(model);
  try {
    check_model(model);
  } catch (const polygraphy::Error& error) {
    ADD_FAILURE() << error.what() << "\n" << to_onnx_text(model);
  }
  expect_unique_names(*model.graph);
  const std::string once = to_onnx_text(model);
  if (options.max_rewrites == std::numeric_limits<int64_t>::max()) {
    polygraphy::Logger silent;
    const FoldReport again = fold_constants(model, options, silent);
    EXPECT_EQ(again.rewrites.size(), 0u);
    cleanup(model);
    EXPECT_EQ(to_onnx_text(model), once);
  }
  result.nodes = node_list(*model.graph);
  result.model = std::move(model);
  return result;
}

inline Folded fold(std::string_view text, const FoldOptions& options = {}) {
  return fold(parse_onnx_text(text), options);
}

}  // namespace graphsurgeon
