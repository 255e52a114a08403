#include "graphsurgeon/diff/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/arrays/py_repr.h"
#include "graphsurgeon/diff/alignment.h"
#include "graphsurgeon/diff/attribute_diff.h"
#include "graphsurgeon/diff/value_text.h"
#include "graphsurgeon/ir/domain.h"

namespace graphsurgeon {

namespace {

using polygraphy::py_str_repr;

void put_text(std::vector<Change>& changes, std::string what, std::string_view a,
              std::string_view b) {
  if (a == b) return;
  Change change{std::move(what), {}, {}};
  if (!a.empty()) change.before = py_str_repr(a);
  if (!b.empty()) change.after = py_str_repr(b);
  changes.push_back(std::move(change));
}

// Encoded fields that this version does not know.
void put_unknown(std::vector<Change>& changes, std::string_view a, std::string_view b) {
  if (a == b) return;
  const auto text = [](std::string_view bytes) -> std::optional<std::string> {
    if (bytes.empty()) return std::nullopt;
    return fmt::format("{} bytes", bytes.size());
  };
  changes.push_back({"other fields", text(a), text(b)});
}

DiffItem kept(std::string_view name, size_t before, size_t after) {
  DiffItem item;
  item.name = name;
  item.before = before;
  item.after = after;
  return item;
}

DiffItem added(std::string_view name, size_t after, std::string details = {},
               std::string_view op = {}) {
  DiffItem item;
  item.state = DiffState::kAdded;
  item.name = name;
  item.op = op;
  item.details = std::move(details);
  item.after = after;
  return item;
}

DiffItem removed(std::string_view name, size_t before, std::string details = {},
                 std::string_view op = {}) {
  DiffItem item = added(name, before, std::move(details), op);
  item.state = DiffState::kRemoved;
  item.before = std::exchange(item.after, std::nullopt);
  return item;
}

template <typename Values>
void put_map(std::vector<Change>& changes, std::string_view what, const Values& a,
             const Values& b) {
  std::set<std::string> keys;
  for (const auto& [key, value] : a) keys.insert(key);
  for (const auto& [key, value] : b) keys.insert(key);
  for (const std::string& key : keys) {
    const auto in_a = a.find(key), in_b = b.find(key);
    Change change{fmt::format("{} {}", what, py_str_repr(key)), {}, {}};
    if (in_a != a.end()) change.before = in_a->second;
    if (in_b != b.end()) change.after = in_b->second;
    if (change.before != change.after) changes.push_back(std::move(change));
  }
}

std::map<std::string, std::string> imports_of(const std::vector<OpsetImport>& imports) {
  std::map<std::string, std::string> map;
  for (const OpsetImport& import : imports) {
    const std::string_view domain = normalized_domain(import.domain);
    map[std::string(domain.empty() ? "ai.onnx" : domain)] = std::to_string(import.version);
  }
  return map;
}

std::map<std::string, std::string> metadata_of(const Model& model) {
  std::map<std::string, std::string> map;
  for (const auto& [key, value] : model.metadata) map[key] = py_str_repr(value);
  return map;
}

// Two aligned graphs and their differences.
struct GraphPair {
  const Graph *a, *b;
  std::string path;
  Alignment nodes;
};

class Differ {
 public:
  Differ(const Model& a, const Model& b, const DiffOptions& options)
      : a_(a), b_(b), options_(options) {}

  DiffReport run() {
    put_model();
    if (a_.graph && b_.graph) pairs_.push_back({a_.graph.get(), b_.graph.get(), {}, {}});
    put_functions();
    // Nested graphs join the list while it is walked: outer ones are aligned first.
    for (size_t i = 0; i < pairs_.size(); ++i) align_graphs(i);
    for (const GraphPair& pair : pairs_) put_graph(pair);
    return std::move(report_);
  }

 private:
  void put_model() {
    auto& changes = report_.model;
    if (options_.versions) {
      if (a_.ir_version != b_.ir_version) {
        changes.push_back(
            {"IR version", std::to_string(a_.ir_version), std::to_string(b_.ir_version)});
      }
      put_map(changes, "opset import", imports_of(a_.opset_imports), imports_of(b_.opset_imports));
    }
    if (options_.metadata) {
      put_text(changes, "producer name", a_.producer_name, b_.producer_name);
      put_text(changes, "producer version", a_.producer_version, b_.producer_version);
      put_text(changes, "domain", a_.domain, b_.domain);
      if (a_.model_version != b_.model_version) {
        changes.push_back(
            {"model version", std::to_string(a_.model_version), std::to_string(b_.model_version)});
      }
      put_map(changes, "metadata", metadata_of(a_), metadata_of(b_));
      put_unknown(changes, a_.unknown_fields, b_.unknown_fields);
    }
    if (options_.docs) put_text(changes, "doc string", a_.doc_string, b_.doc_string);
  }

  void put_functions() {
    std::unordered_map<std::string, const Function*> in_a;
    const auto id = [](const Function& f) {
      return function_id(f.domain(), f.name(), f.overload());
    };
    const auto label = [](const Function& f) {
      std::string text(f.domain().empty() ? "ai.onnx" : f.domain());
      text.append(1, '.').append(f.name());
      if (!f.overload().empty()) text.append(1, ':').append(f.overload());
      return text;
    };
    for (const FunctionRef& f : a_.functions) in_a.emplace(id(*f), f.get());
    for (size_t j = 0; j < b_.functions.size(); ++j) {
      const Function& f = *b_.functions[j];
      const auto at = in_a.find(id(f));
      if (at == in_a.end()) {
        report_.functions.push_back(added(label(f), j));
        continue;
      }
      functions_.emplace(&f, at->second);
      pairs_.push_back({at->second, &f, "function " + py_str_repr(label(f)), {}});
      in_a.erase(at);
    }
    for (size_t i = 0; i < a_.functions.size(); ++i) {
      const Function& f = *a_.functions[i];
      const auto at = in_a.find(id(f));
      if (at == in_a.end() || at->second != &f) continue;
      report_.functions.push_back(removed(label(f), i));
    }
  }

  void align_graphs(size_t at) {
    const Graph &a = *pairs_[at].a, &b = *pairs_[at].b;
    const AlignmentOptions options{options_.names, at > 0};
    Alignment nodes = align(a, b, options, tensors_);
    for (size_t j = 0; j < nodes.to_a.size(); ++j) {
      if (nodes.to_a[j] == Alignment::kNone) continue;
      const Node &here = *a.nodes()[nodes.to_a[j]], &there = *b.nodes()[j];
      if (there.has_subgraphs()) pair_subgraphs(here, there, at, j);
    }
    if (options_.partners) put_partners(a, b, nodes);
    pairs_[at].nodes = std::move(nodes);
  }

  void put_partners(const Graph& a, const Graph& b, const Alignment& nodes) {
    std::unordered_map<const Node*, size_t> places;
    for (size_t i = 0; i < a.nodes().size(); ++i) places[a.nodes()[i].get()] = i;
    const auto named = options_.names ? a.tensor_map() : decltype(a.tensor_map())();
    const auto in_a = [&](const Tensor& tensor) {
      const auto at = named.find(tensor.name());
      return at == named.end() ? tensors_.in_a(tensor) : static_cast<const Tensor*>(at->second);
    };
    std::set<const Tensor*> known;
    const auto put_tensor = [&](const Tensor& there) {
      const Tensor* here = tensors_.in_a(there);
      if (here && known.insert(here).second)
        report_.tensors.emplace_back(here->name(), there.name());
    };
    const auto put_nodes = [&](const Node& here, const Node& there) {
      if (!here.name().empty() && !there.name().empty())
        report_.partners.emplace_back(here.name(), there.name());
    };
    for (const TensorRef& input : b.inputs()) put_tensor(*input);
    std::vector<bool> taken(a.nodes().size(), false);
    for (size_t j = 0; j < b.nodes().size(); ++j) {
      const Node& there = *b.nodes()[j];
      if (nodes.to_a[j] != Alignment::kNone) put_nodes(*a.nodes()[nodes.to_a[j]], there);
      // Backwards from its results to what it reads.
      std::vector<const Tensor*> open;
      std::set<const Tensor*> read;
      for (const Tensor* input : there.inputs()) {
        read.insert(in_a(*input));
        if (input->is_constant()) put_tensor(*input);
      }
      for (const Tensor* output : there.outputs()) {
        put_tensor(*output);
        open.push_back(in_a(*output));
      }
      while (!open.empty()) {
        const Tensor* tensor = open.back();
        open.pop_back();
        const auto at = places.find(tensor ? tensor->producer() : nullptr);
        if (at == places.end() || read.contains(tensor) || taken[at->second]) continue;
        const uint32_t partner = nodes.to_b[at->second];
        if (partner != Alignment::kNone && partner != j) continue;
        taken[at->second] = true;
        if (partner == Alignment::kNone) put_nodes(*at->first, there);
        open.insert(open.end(), at->first->inputs().begin(), at->first->inputs().end());
      }
    }
  }

  void pair_subgraphs(const Node& a, const Node& b, size_t outer, size_t position) {
    for (const Attribute& there : b.attributes()) {
      const Attribute* here = there.holds_graphs() ? a.attribute(there.name) : nullptr;
      if (!here || !here->holds_graphs()) continue;
      const std::vector<GraphRef> in_a = here->graphs(), in_b = there.graphs();
      for (size_t k = 0; k < std::min(in_a.size(), in_b.size()); ++k) {
        if (!seen_.emplace(in_a[k].get(), in_b[k].get()).second) continue;
        std::string path = pairs_[outer].path;
        if (!path.empty()) path += '/';
        path += b.name().empty() ? fmt::format("{}#{}", b.op(), position) : std::string(b.name());
        path += fmt::format(".{}", there.name);
        if (std::holds_alternative<std::vector<GraphRef>>(there.value))
          path += fmt::format("[{}]", k);
        pairs_.push_back({in_a[k].get(), in_b[k].get(), std::move(path), {}});
      }
    }
  }

  void put_graph(const GraphPair& pair) {
    const Graph &a = *pair.a, &b = *pair.b;
    GraphDiff graph;
    graph.path = pair.path;
    if (options_.names) put_text(graph.changes, "name", a.name(), b.name());
    if (options_.docs) put_text(graph.changes, "doc string", a.doc_string(), b.doc_string());
    if (options_.metadata) put_unknown(graph.changes, a.unknown_fields(), b.unknown_fields());
    const auto* function = dynamic_cast<const Function*>(&b);
    if (function) put_signature(*functions_.at(function), *function, graph.changes);
    const bool positional = !options_.names || &pair != &pairs_[0];
    graph.inputs = values(a, b, GraphList::kInputs, positional, graph.changes);
    graph.outputs = values(a, b, GraphList::kOutputs, positional, graph.changes);
    graph.nodes = nodes(pair);
    graph.initializers = initializers(a, b);
    if (!graph.equal()) report_.graphs.push_back(std::move(graph));
  }

  void put_signature(const Function& a, const Function& b, std::vector<Change>& changes) {
    if (options_.versions) {
      put_map(changes, "opset import", imports_of(a.opset_imports), imports_of(b.opset_imports));
    }
    const auto required = [](const Function& f) {
      std::map<std::string, std::string> map;
      for (const auto& name : f.required_attributes) map[std::string(name)] = "required";
      for (const Attribute& d : f.default_attributes) map[std::string(d.name)] = attribute_text(d);
      return map;
    };
    put_map(changes, "attribute", required(a), required(b));
  }

  // Whether a node reads the same: see diff().
  bool same_wire(const Tensor& a, const Tensor& b) const {
    if (a.is_empty() || b.is_empty()) return a.is_empty() == b.is_empty();
    if (const Tensor* there = tensors_.in_b(a)) return there == &b;
    return options_.names && a.name() == b.name() && !tensors_.in_a(b);
  }

  static std::string wire_text(const Tensor& tensor) {
    return tensor.is_empty() ? "(left out)" : py_str_repr(tensor.name());
  }

  // Of two tensors that are one.
  std::vector<Change> value_changes(const Tensor& a, const Tensor& b, std::string type_a,
                                    std::string type_b) const {
    std::vector<Change> changes;
    if (options_.names) put_text(changes, "name", a.name(), b.name());
    if (type_a != type_b || a.type_proto() != b.type_proto()) {
      changes.push_back({"type", std::move(type_a), std::move(type_b)});
    }
    if (options_.docs) put_text(changes, "doc string", a.doc_string(), b.doc_string());
    if (options_.metadata) put_unknown(changes, a.unknown_fields(), b.unknown_fields());
    return changes;
  }

  std::vector<DiffItem> values(const Graph& graph_a, const Graph& graph_b, GraphList list,
                               bool positional, std::vector<Change>& changes) const {
    const bool of_inputs = list == GraphList::kInputs;
    const std::vector<TensorRef>& a = of_inputs ? graph_a.inputs() : graph_a.outputs();
    const std::vector<TensorRef>& b = of_inputs ? graph_b.inputs() : graph_b.outputs();
    std::vector<size_t> partner(b.size(), SIZE_MAX);
    std::vector<bool> used(a.size(), false);
    if (!positional) {
      // The last place of a name first.
      std::unordered_map<std::string_view, std::vector<size_t>> names;
      for (size_t i = a.size(); i-- > 0;) names[a[i]->name()].push_back(i);
      for (size_t j = 0; j < b.size(); ++j) {
        const auto at = names.find(b[j]->name());
        if (at == names.end() || at->second.empty()) continue;
        partner[j] = at->second.back();
        at->second.pop_back();
        used[partner[j]] = true;
      }
    }
    for (size_t j = 0; j < std::min(a.size(), b.size()); ++j) {
      // Another name in the same place: the same one, where the two tensors correspond.
      const bool one = positional || tensors_.in_b(*a[j]) == b[j].get();
      if (partner[j] != SIZE_MAX || used[j] || !one) continue;
      partner[j] = j;
      used[j] = true;
    }
    std::vector<DiffItem> items;
    bool in_order = true;
    size_t last = 0;
    for (size_t j = 0; j < b.size(); ++j) {
      if (partner[j] == SIZE_MAX) {
        if (is_weight(*b[j]) && !tensors_.in_a(*b[j])) continue;
        items.push_back(added(b[j]->name(), j, tensor_type_text(*b[j])));
        continue;
      }
      const Tensor& before = *a[partner[j]];
      in_order = in_order && partner[j] >= last;
      last = partner[j];
      DiffItem item = kept(b[j]->name(), partner[j], j);
      item.changes = value_changes(before, *b[j], declared_type_text(graph_a, list, before),
                                   declared_type_text(graph_b, list, *b[j]));
      if (!same_wire(before, *b[j])) {
        item.changes.push_back({"computed by", source_text(before), source_text(*b[j])});
      }
      if (!item.changes.empty()) items.push_back(std::move(item));
    }
    for (size_t i = 0; i < a.size(); ++i) {
      if (used[i] || (is_weight(*a[i]) && !tensors_.in_b(*a[i]))) continue;
      items.push_back(removed(a[i]->name(), i, tensor_type_text(*a[i])));
    }
    if (!in_order) {
      const auto names = [](const std::vector<TensorRef>& tensors) {
        std::vector<std::string> texts;
        for (const TensorRef& tensor : tensors) texts.emplace_back(tensor->name());
        return polygraphy::py_list_repr(texts);
      };
      changes.push_back({of_inputs ? "order of inputs" : "order of outputs", names(a), names(b)});
    }
    return items;
  }

  // An input that is an initializer as well counts as an initializer (before IR version 4 all were
  // both).
  static bool is_weight(const Tensor& tensor) { return tensor.is_constant(); }

  static std::string source_text(const Tensor& tensor) {
    if (const Node* producer = tensor.producer()) {
      return producer->name().empty() ? fmt::format("a node {}", producer->op())
                                      : py_str_repr(producer->name());
    }
    return tensor.is_constant() ? "a constant" : "an input";
  }

  static std::string node_details(const Node& node) {
    std::string text;
    for (const Tensor* tensor : node.inputs()) {
      text += (text.empty() ? "" : ", ") + (tensor->is_empty() ? "''" : wire_text(*tensor));
    }
    text += " -> ";
    bool first = true;
    for (const Tensor* tensor : node.outputs()) {
      text += (first ? "" : ", ") + (tensor->is_empty() ? "''" : wire_text(*tensor));
      first = false;
    }
    return text;
  }

  std::vector<DiffItem> nodes(const GraphPair& pair) const {
    std::vector<DiffItem> items;
    const auto &in_a = pair.a->nodes(), &in_b = pair.b->nodes();
    for (size_t j = 0; j < in_b.size(); ++j) {
      const Node& b = *in_b[j];
      const uint32_t i = pair.nodes.to_a[j];
      if (i == Alignment::kNone) {
        items.push_back(added(b.name(), j, node_details(b), b.op()));
        continue;
      }
      std::vector<Change> changes = node_changes(*in_a[i], b);
      if (changes.empty()) continue;
      DiffItem& item = items.emplace_back(kept(b.name(), i, j));
      item.op = b.op();
      item.details = node_details(b);
      item.changes = std::move(changes);
    }
    for (size_t i = 0; i < in_a.size(); ++i) {
      if (pair.nodes.to_b[i] != Alignment::kNone) continue;
      const Node& a = *in_a[i];
      items.push_back(removed(a.name(), i, node_details(a), a.op()));
    }
    return items;
  }

  std::vector<Change> node_changes(const Node& a, const Node& b) const {
    std::vector<Change> changes;
    if (options_.names) put_text(changes, "name", a.name(), b.name());
    if (a.op() != b.op()) changes.push_back({"op", std::string(a.op()), std::string(b.op())});
    if (!same_domain(a.domain(), b.domain())) put_text(changes, "domain", a.domain(), b.domain());
    put_text(changes, "overload", a.overload(), b.overload());
    put_attribute_changes(changes, a, b, options_);
    const TensorList &in_a = a.inputs(), &in_b = b.inputs();
    for (size_t k = 0; k < std::max(in_a.size(), in_b.size()); ++k) {
      // Trailing inputs that are left out are the same as none.
      if (k >= in_a.size() && in_b[k]->is_empty()) continue;
      if (k >= in_b.size() && in_a[k]->is_empty()) continue;
      if (k < in_a.size() && k < in_b.size() && same_wire(*in_a[k], *in_b[k])) continue;
      Change change{fmt::format("input {}", k), {}, {}};
      if (k < in_a.size()) change.before = wire_text(*in_a[k]);
      if (k < in_b.size()) change.after = wire_text(*in_b[k]);
      if (change.before == change.after) {
        *change.before += " of " + source_text(*in_a[k]);
        *change.after += " of " + source_text(*in_b[k]);
      }
      changes.push_back(std::move(change));
    }
    const TensorList &out_a = a.outputs(), &out_b = b.outputs();
    for (size_t k = 0; k < std::max(out_a.size(), out_b.size()); ++k) {
      const bool here = k < out_a.size() && !out_a[k]->is_empty();
      const bool there = k < out_b.size() && !out_b[k]->is_empty();
      if (here == there && (!here || !options_.names || out_a[k]->name() == out_b[k]->name())) {
        continue;
      }
      Change change{fmt::format("output {}", k), {}, {}};
      if (here) change.before = wire_text(*out_a[k]);
      if (there) change.after = wire_text(*out_b[k]);
      changes.push_back(std::move(change));
    }
    if (options_.docs) put_text(changes, "doc string", a.doc_string(), b.doc_string());
    if (options_.metadata) put_unknown(changes, a.unknown_fields(), b.unknown_fields());
    return changes;
  }

  std::vector<DiffItem> initializers(const Graph& a, const Graph& b) const {
    std::unordered_map<const Tensor*, size_t> places;
    places.reserve(a.initializers().size());
    for (size_t i = 0; i < a.initializers().size(); ++i) {
      places.try_emplace(a.initializers()[i].get(), i);
    }
    std::vector<bool> used(a.initializers().size(), false);
    std::vector<DiffItem> items;
    for (size_t j = 0; j < b.initializers().size(); ++j) {
      const Tensor& after = *b.initializers()[j];
      const Tensor* before = tensors_.in_a(after);
      const auto at = before ? places.find(before) : places.end();
      if (at == places.end()) {
        items.push_back(added(after.name(), j, payload_type_text(*after.payload())));
        continue;
      }
      used[at->second] = true;
      DiffItem item = kept(after.name(), at->second, j);
      if (options_.names) put_text(item.changes, "name", before->name(), after.name());
      const Payload &x = *before->payload(), &y = *after.payload();
      if (x.dtype() != y.dtype() || x.shape() != y.shape()) {
        item.changes.push_back({"type", payload_type_text(x), payload_type_text(y)});
      } else if (options_.weights) {
        item.values = weight_diff(x, y, after.name(), options_);
      }
      if (options_.docs)
        put_text(item.changes, "doc string", before->doc_string(), after.doc_string());
      if (options_.metadata) {
        put_unknown(item.changes, before->unknown_fields(), after.unknown_fields());
      }
      item.details = payload_type_text(y);
      if (!item.changes.empty() || item.values) items.push_back(std::move(item));
    }
    for (size_t i = 0; i < used.size(); ++i) {
      if (used[i]) continue;
      const Tensor& before = *a.initializers()[i];
      items.push_back(removed(before.name(), i, payload_type_text(*before.payload())));
    }
    return items;
  }

  const Model &a_, &b_;
  const DiffOptions& options_;
  DiffReport report_;
  TensorPairs tensors_;
  std::vector<GraphPair> pairs_;
  std::set<std::pair<const Graph*, const Graph*>> seen_;
  std::unordered_map<const Function*, const Function*> functions_;
};

}  // namespace

DiffReport diff(const Model& a, const Model& b, const DiffOptions& options) {
  return Differ(a, b, options).run();
}

}  // namespace graphsurgeon
