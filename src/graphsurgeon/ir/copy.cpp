#include "graphsurgeon/ir/copy.h"

#include <utility>

#include "graphsurgeon/ir/access.h"

namespace graphsurgeon {

namespace {

class Copier {
 public:
  Copier(Store& store, const OuterTensors* outer) : store_(store), outer_(outer) {}

  GraphRef graph(const Graph& from) {
    GraphRef to(GraphAccess::create_graph(store_));
    graphs_.emplace(&from, to);
    todo_.emplace_back(&from, to.get());
    finish();
    return to;
  }

  FunctionRef function(const Function& from) {
    FunctionRef to(GraphAccess::create_function(store_));
    GraphAccess::set_identity(*to, text(from.domain()), text(from.overload()));
    for (const std::string_view name : from.required_attributes) {
      to->required_attributes.push_back(store_.intern(name));
    }
    for (const Attribute& a : from.default_attributes) {
      to->default_attributes.push_back(attribute(a));
    }
    to->opset_imports = from.opset_imports;
    todo_.emplace_back(&from, to.get());
    finish();
    return to;
  }

  TensorRef tensor(const Tensor& from) {
    TensorRef to(TensorAccess::create(store_, text(from.name())));
    std::unique_ptr<DimList> shape;
    if (from.declared_shape()) shape = std::make_unique<DimList>(*from.declared_shape());
    TensorAccess::copy_declaration(from, *to, std::move(shape), text(from.type_proto()));
    TensorAccess::set_payload(*to, from.payload());
    if (const auto* extra = TensorAccess::find_extra(from)) {
      TensorAccess::extra(*to) = {text(extra->doc), text(extra->unknown),
                                  text(extra->initializer_unknown)};
    }
    return to;
  }

  NodeRef node(const Node& from, const std::vector<TensorRef>& inputs,
               const std::vector<TensorRef>& outputs) {
    NodeRef to = empty_node(from);
    to->inputs().assign(inputs);
    to->outputs().assign(outputs);
    finish();
    return to;
  }

 private:
  // Views of the loaded file stay views; the rest is copied. A null view stays one.
  std::string_view text(std::string_view of) {
    return of.data() ? store_.adopt(of) : std::string_view();
  }

  void finish() {
    while (!todo_.empty()) {
      const auto [from, to] = todo_.back();
      todo_.pop_back();
      body(*from, *to);
    }
  }

  // Copies the graph's tensors first, so that they exist before its nodes are connected.
  void body(const Graph& from, Graph& to) {
    GraphAccess::set_names(to, text(from.name()), text(from.doc_string()));
    GraphAccess::set_unknown(to, text(from.unknown_fields()));
    for (const NodeRef& n : from.nodes()) {
      for (const Tensor* t : n->outputs()) own(*t);
    }
    list(from.inputs(), GraphAccess::inputs(to), true);
    list(from.initializers(), GraphAccess::initializers(to), true);
    GraphAccess::nodes(to).reserve(from.nodes().size());
    for (const NodeRef& n : from.nodes()) {
      NodeRef copied = empty_node(*n);
      copied->inputs().reserve(n->inputs().size());
      for (const Tensor* t : n->inputs()) NodeAccess::append(copied->inputs(), used(*t).get());
      copied->outputs().reserve(n->outputs().size());
      for (const Tensor* t : n->outputs()) NodeAccess::append(copied->outputs(), own(*t).get());
      GraphAccess::nodes(to).push_back(std::move(copied));
    }
    list(from.outputs(), GraphAccess::outputs(to), false);
    list(from.value_infos(), GraphAccess::value_infos(to), false);
    for (const auto& [in_list, t, encoded] : GraphAccess::declarations(from)) {
      const auto known = copies_.find(t);
      if (known == copies_.end()) continue;
      GraphAccess::declarations(to).push_back({in_list, known->second.get(), text(encoded)});
    }
  }

  void list(const std::vector<TensorRef>& from, std::vector<TensorRef>& to, bool owned) {
    to.reserve(from.size());
    for (const TensorRef& t : from) to.push_back(owned ? own(*t) : used(*t));
  }

  TensorRef own(const Tensor& t) {
    if (t.is_empty()) return tensor(t);
    const auto [known, is_new] = copies_.try_emplace(&t);
    if (is_new) known->second = tensor(t);
    return known->second;
  }

  TensorRef used(const Tensor& t) {
    if (t.is_empty()) return Tensor::empty(store_);
    if (const auto known = copies_.find(&t); known != copies_.end()) return known->second;
    if (outer_ && !t.is_constant()) {
      if (const auto given = outer_->find(std::string(t.name())); given != outer_->end()) {
        return given->second;
      }
    }
    return own(t);
  }

  NodeRef empty_node(const Node& from) {
    NodeRef to(NodeAccess::create(store_));
    NodeAccess::set_names(*to, interned(from.op()), text(from.name()), interned(from.domain()));
    if (const auto* extra = NodeAccess::find_extra(from)) {
      NodeAccess::set_extra(*to, text(extra->overload), text(extra->doc), text(extra->unknown));
    }
    if (const std::string_view encoded = NodeAccess::encoded_attributes(from); !encoded.empty()) {
      NodeAccess::set_encoded_attributes(*to, text(encoded));
      return to;
    }
    std::vector<Attribute> attributes;
    attributes.reserve(from.attributes().size());
    for (const Attribute& a : from.attributes()) attributes.push_back(attribute(a));
    NodeAccess::set_attributes(*to, std::move(attributes));
    return to;
  }

  std::string_view interned(std::string_view of) {
    return of.data() ? store_.intern(of) : std::string_view();
  }

  Attribute attribute(const Attribute& from) {
    Attribute to = from;
    to.name = interned(from.name);
    to.ref_attr_name = text(from.ref_attr_name);
    to.encoded = text(from.encoded);
    to.unknown_fields = text(from.unknown_fields);
    const auto copy_value = [&](TensorValue& v) {
      v.name = text(v.name);
      v.unknown_fields = text(v.unknown_fields);
    };
    if (auto* v = std::get_if<std::string_view>(&to.value)) *v = text(*v);
    if (auto* v = std::get_if<TensorValue>(&to.value)) copy_value(*v);
    if (auto* v = std::get_if<GraphRef>(&to.value)) *v = nested(*v);
    if (auto* v = std::get_if<std::vector<std::string_view>>(&to.value)) {
      for (std::string_view& t : *v) t = text(t);
    }
    if (auto* v = std::get_if<std::vector<TensorValue>>(&to.value)) {
      for (TensorValue& t : *v) copy_value(t);
    }
    if (auto* v = std::get_if<std::vector<GraphRef>>(&to.value)) {
      for (GraphRef& g : *v) g = nested(g);
    }
    return to;
  }

  // One that two nodes hold stays one.
  GraphRef nested(const GraphRef& from) {
    if (!from) return nullptr;
    const auto [known, is_new] = graphs_.try_emplace(from.get());
    if (is_new) {
      known->second = GraphRef(GraphAccess::create_graph(store_));
      todo_.emplace_back(from.get(), known->second.get());
    }
    return known->second;
  }

  Store& store_;
  const OuterTensors* outer_;
  std::unordered_map<const Tensor*, TensorRef> copies_;
  std::unordered_map<const Graph*, GraphRef> graphs_;
  std::vector<std::pair<const Graph*, Graph*>> todo_;
};

}  // namespace

Model copy(const Model& model) {
  Model to = model;
  to.graph = nullptr;
  to.functions.clear();
  to.loaded_bytes = {};
  to.loaded_header = nullptr;
  to.edits_when_loaded = 0;
  if (!model.graph) return to;
  // The store is owned by the first object made in it.
  Store& store = *Store::create();
  const TensorRef owner = Tensor::empty(store);
  store.set_source(model.graph->store().source());
  Copier copier(store, nullptr);
  to.graph = copier.graph(*model.graph);
  for (const FunctionRef& function : model.functions) {
    to.functions.push_back(copier.function(*function));
  }
  return to;
}

GraphRef copy(const Graph& graph, const OuterTensors& outer) {
  return Copier(graph.store(), &outer).graph(graph);
}

FunctionRef copy(const Function& function) {
  return Copier(function.store(), nullptr).function(function);
}

TensorRef copy(const Tensor& tensor) {
  return Copier(tensor.store(), nullptr).tensor(tensor);
}

NodeRef copy(const Node& node, const std::vector<TensorRef>& inputs,
             const std::vector<TensorRef>& outputs, const OuterTensors& outer) {
  return Copier(node.store(), &outer).node(node, inputs, outputs);
}

}  // namespace graphsurgeon
