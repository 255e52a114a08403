#include "graphsurgeon/passes/inline_functions.h"

#include <algorithm>
#include <string>
#include <vector>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/imports.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/schema.h"

namespace graphsurgeon {
namespace {

// Do the function's nodes of this domain mean the same under both versions?
bool means_the_same(Function& function, std::string_view domain, int64_t a, int64_t b) {
  if (a == b) return true;
  for (const Graph* graph : inner_graphs_first(function)) {
    for (const NodeRef& node : graph->nodes()) {
      if (!same_domain(node->domain(), domain)) continue;
      const auto one = find_schema(node->op(), a, domain);
      const auto other = find_schema(node->op(), b, domain);
      if (!one || !other || one->since_version() != other->since_version()) return false;
    }
  }
  return true;
}

void resolve_references(Graph& body, const Node& call, const Function& function) {
  const auto given = [&](std::string_view name) -> const Attribute* {
    if (const Attribute* attribute = call.attribute(name)) return attribute;
    for (const Attribute& attribute : function.default_attributes) {
      if (attribute.name == name) return &attribute;
    }
    return nullptr;
  };
  for (Graph* graph : inner_graphs_first(body)) {
    for (const NodeRef& node : graph->nodes()) {
      std::vector<Attribute> references;
      for (const Attribute& attribute : node->attributes()) {
        if (!attribute.ref_attr_name.empty()) references.push_back(attribute);
      }
      for (const Attribute& reference : references) {
        const Attribute* value = given(reference.ref_attr_name);
        if (!value) {
          node->remove_attribute(reference.name);
          continue;
        }
        Attribute attribute = *value;
        attribute.name = reference.name;
        attribute.encoded = {};
        node->set_attribute(std::move(attribute));
      }
    }
  }
}

// In the place of a call that can be inlined.
std::vector<NodeRef> nodes_of_call(Model& model, Graph& graph, Node& call, TensorNames& taken) {
  Function* function = called_function(model, call);
  for (const OpsetImport& import : function->opset_imports) {
    if (!imported_version(model.opset_imports, import.domain)) {
      model.opset_imports.push_back(import);
    }
  }
  const FunctionRef body = copy(*function);
  resolve_references(*body, call, *function);
  std::string suffix = "_of_";
  for (const Tensor* output : call.outputs()) {
    if (output->is_empty()) continue;
    suffix += output->name();
    break;
  }
  return spliced_nodes(*model.graph, graph, call, *body,
                       {.arguments = call.inputs().snapshot(),
                        .results = call.outputs().snapshot(),
                        .suffix = suffix,
                        .taken = &taken});
}

}  // namespace

Function* called_function(const Model& model, const Node& node) {
  if (model.functions.empty()) return nullptr;
  for (const FunctionRef& function : model.functions) {
    if (function->name() == node.op() && function->overload() == node.overload() &&
        same_domain(function->domain(), node.domain())) {
      return function.get();
    }
  }
  return nullptr;
}

bool can_be_inlined(const Model& model, const Node& call) {
  Function* function = called_function(model, call);
  if (!function) return false;
  for (const OpsetImport& import : function->opset_imports) {
    const auto known = imported_version(model.opset_imports, import.domain);
    if (known && !means_the_same(*function, import.domain, import.version, *known)) {
      return false;
    }
  }
  return true;
}

void inline_calls(Model& model, Graph& graph, std::span<const size_t> positions,
                  TensorNames& taken) {
  // From the last one on, so that names do not depend on the number of calls.
  std::vector<NodeRef> reversed;
  size_t left = positions.size();
  for (size_t i = graph.nodes().size(); i-- > 0;) {
    const NodeRef node = graph.nodes()[i];
    if (left == 0 || positions[left - 1] != i) {
      reversed.push_back(node);
      continue;
    }
    --left;
    const std::vector<NodeRef> nodes = nodes_of_call(model, graph, *node, taken);
    reversed.insert(reversed.end(), nodes.rbegin(), nodes.rend());
  }
  graph.mutable_nodes().assign(reversed.rbegin(), reversed.rend());
}

}  // namespace graphsurgeon
