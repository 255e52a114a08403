#include "graphsurgeon/fold/eligibility.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/fold/rule.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/onnx/disputed_slice.h"
#include "graphsurgeon/onnx/schema.h"
#include "graphsurgeon/operators/operator_facts.h"

namespace graphsurgeon {

namespace {

// Functions and graphs nested deeper than any real one.
constexpr int kMaxDepth = 500;

// The standard marks these because of their bodies' possible nodes, which are looked at here.
constexpr std::string_view kAsTheirBodies[] = {"AffineGrid", "Dropout", "If",
                                               "Loop",       "Scan",    "SequenceMap"};
int64_t version_of(const std::vector<OpsetImport>& imports, std::string_view domain) {
  for (const OpsetImport& import : imports) {
    if (same_domain(import.domain, domain)) return import.version;
  }
  return 0;
}

bool has_reference(const Node& node) {
  const auto attributes = node.attributes();
  return std::any_of(attributes.begin(), attributes.end(),
                     [](const Attribute& a) { return !a.ref_attr_name.empty(); });
}

}  // namespace

FoldEligibility::FoldEligibility(const FoldState& state) : state_(state) {
  for (const FunctionRef& f : state.model.functions) {
    functions_.emplace(function_id(f->domain(), f->name(), f->overload()), f.get());
  }
}

std::string FoldEligibility::refusal(const Node& node, const FoldScope& scope) {
  if (has_reference(node)) return "it has an attribute that refers to an attribute of the function";
  return refusal_by_kind(node, *scope.imports, false, 0);
}

std::string FoldEligibility::refusal_by_kind(const Node& node,
                                             const std::vector<OpsetImport>& imports,
                                             bool in_function, int depth) {
  const std::string_view domain = normalized_domain(node.domain());
  if (!functions_.empty()) {
    const auto function = functions_.find(function_id(domain, node.op(), node.overload()));
    if (function != functions_.end()) return refusal_of_function(*function->second, depth + 1);
  }
  const int64_t version = version_of(imports, domain);
  if (!domain.empty()) {
    if (version > 0 && facts_of(node).plain) return {};
    if (domain != "ai.onnx.ml") return std::string(kForeignDomain);
    if (!find_schema(node.op(), version, domain)) return std::string(kNoSuchOperator);
    return {};
  }
  if (const std::string_view reason = refusal_by_operator(node, version); !reason.empty()) {
    return std::string(reason);
  }
  if (node.op() == "Slice" && is_disputed(node)) {
    return "its end is the largest integer and its step negative: empty in the standard, but all "
           "elements up to the start in ONNX Runtime";
  }
  if (node.op() == "Div" && may_trap(node, in_function || depth > 0)) {
    return "it may divide the smallest integer by -1, which ends the process";
  }
  // With training_mode it is random (version 12); before version 7 there was an attribute.
  if (node.op() == "Dropout") {
    const Tensor* training = input_at(node, 2);
    if (training != nullptr) {
      const PayloadPtr value = state_.value(*training);
      if (!value || value->size() != 1 || value->load(training->name()).get_int64(0) != 0) {
        return "it may be random";
      }
    }
    if (version < 7 && int_attribute(node, "is_test", 0) == 0) return "it may be random";
  }
  for (const GraphRef& inner : node.subgraphs()) {
    std::string reason = refusal_of_graph(*inner, imports, in_function, depth + 1);
    if (!reason.empty()) return reason;
  }
  return {};
}

bool FoldEligibility::is_disputed(const Node& slice) const {
  const auto integers = [&](size_t i) {
    std::vector<int64_t> values;
    const Tensor* tensor = input_at(slice, i);
    const PayloadPtr payload = tensor != nullptr ? state_.value(*tensor) : nullptr;
    if (!payload || payload->nbytes() > kSmallBytes || !polygraphy::is_integral(payload->dtype())) {
      return values;
    }
    const auto array = payload->load(tensor->name());
    for (int64_t at = 0; at < array.size(); ++at) values.push_back(array.get_int64(at));
    return values;
  };
  return is_disputed_slice(integers(2), integers(4));
}

bool FoldEligibility::may_trap(const Node& division, bool inside) const {
  const auto may_be = [&](size_t i, auto wanted) {
    const Tensor* tensor = input_at(division, i);
    if (tensor == nullptr) return false;
    const PayloadPtr payload = state_.value(*tensor);
    const DataType type = payload ? payload->dtype() : tensor->dtype();
    if (type != DataType::kInt32 && type != DataType::kInt64) return false;
    if (!payload) return inside || state_.is_decided(*tensor);
    const auto values = payload->load(tensor->name());
    for (int64_t at = 0; at < values.size(); ++at) {
      if (values.get_int64(at) == wanted(type)) return true;
    }
    return false;
  };
  return may_be(1, [](DataType) { return int64_t{-1}; }) && may_be(0, [](DataType type) {
           return type == DataType::kInt32 ? int64_t{std::numeric_limits<int32_t>::min()}
                                           : std::numeric_limits<int64_t>::min();
         });
}

std::string_view FoldEligibility::refusal_by_operator(const Node& node, int64_t version) {
  const auto [found, is_new] = operators_.try_emplace({node.op(), version});
  if (!is_new) return found->second;
  const auto reason = [&]() -> std::string_view {
    const OperatorFacts& facts = facts_of(node);
    if (facts.movement == Movement::kQuantizes) return "quantization is left to the runtime";
    // The standard's own mark is not on all of them in all versions.
    if (facts.random) return "its result differs from run to run";
    const auto schema = find_schema(node.op(), version);
    if (!schema) return kNoSuchOperator;
    const bool differs =
        schema->deterministic() == false && !std::ranges::binary_search(kAsTheirBodies, node.op());
    return differs ? "its result differs from run to run" : std::string_view();
  };
  return found->second = reason();
}

std::string FoldEligibility::refusal_of_graph(const Graph& graph,
                                              const std::vector<OpsetImport>& imports,
                                              bool in_function, int depth) {
  if (depth > kMaxDepth) return "it is nested too deeply";
  if (const auto known = graph_reasons_.find(&graph); known != graph_reasons_.end()) {
    return known->second;
  }
  std::string reason;
  for (const NodeRef& node : graph.nodes()) {
    // A caller's attributes take the place of references when a function is run.
    if (!in_function && has_reference(*node)) {
      reason = "it has an attribute that refers to an attribute of the function";
    }
    if (reason.empty()) reason = refusal_by_kind(*node, imports, in_function, depth);
    if (reason.empty() && state_.options.exclude && state_.options.exclude(*node)) {
      reason = "excluded by the caller";
    }
    if (reason.empty()) continue;
    reason = "it contains node '" + std::string(node->name()) + "' (" + std::string(node->op()) +
             "): " + reason;
    break;
  }
  return graph_reasons_[&graph] = reason;
}

std::string FoldEligibility::refusal_of_function(const Function& function, int depth) {
  if (depth > kMaxDepth) return "functions are nested too deeply";
  const auto [found, is_new] = function_reasons_.try_emplace(
      &function, "function '" + std::string(function.name()) + "' calls itself");
  if (!is_new) return found->second;
  std::string reason;
  for (const NodeRef& node : function.nodes()) {
    reason = refusal_by_kind(*node, function.opset_imports, true, depth);
    if (reason.empty() && state_.options.exclude && state_.options.exclude(*node)) {
      reason = "excluded by the caller";
    }
    if (reason.empty()) continue;
    reason = "function '" + std::string(function.name()) + "' contains node '" +
             std::string(node->name()) + "' (" + std::string(node->op()) + "): " + reason;
    break;
  }
  return function_reasons_[&function] = reason;
}

}  // namespace graphsurgeon
