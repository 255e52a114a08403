#include "graphsurgeon/ir/node.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <string>
#include <unordered_set>

#include "base/error.h"
#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/arg.h"
#include "graphsurgeon/ir/attribute_codec.h"
#include "graphsurgeon/ir/checked_access.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/parse_error.h"
#include "graphsurgeon/wire/reader.h"
#include "graphsurgeon/wire/writer.h"

namespace graphsurgeon {

namespace {

// The attribute with all its texts in `store`.
void adopt_texts(Store& store, Attribute& a) {
  a.name = store.intern(a.name);
  a.ref_attr_name = store.adopt(a.ref_attr_name);
  a.encoded = store.adopt(a.encoded);
  a.unknown_fields = store.adopt(a.unknown_fields);
  const auto adopt_tensor = [&](TensorValue& t) {
    t.name = store.adopt(t.name);
    t.unknown_fields = store.adopt(t.unknown_fields);
  };
  if (auto* text = std::get_if<std::string_view>(&a.value)) *text = store.adopt(*text);
  if (auto* tensor = std::get_if<TensorValue>(&a.value)) adopt_tensor(*tensor);
  if (auto* texts = std::get_if<std::vector<std::string_view>>(&a.value)) {
    for (auto& text : *texts) text = store.adopt(text);
  }
  if (auto* tensors = std::get_if<std::vector<TensorValue>>(&a.value)) {
    for (auto& tensor : *tensors) adopt_tensor(tensor);
  }
}

}  // namespace

Node::Node(Store& store)
    : Object(store, sizeof(Node)),
      inputs_(*this, TensorList::Side::kInputs),
      outputs_(*this, TensorList::Side::kOutputs) {}

Node::~Node() {
  store().deallocate(extra_, sizeof(Extra));
}

NodeRef Node::create(Store& store, std::string_view op, std::string_view name,
                     std::string_view domain) {
  NodeRef node(NodeAccess::create(store));
  node->op_ = store.intern(op);
  if (!name.empty()) node->name_ = store.keep(name);
  if (!domain.empty()) node->domain_ = store.intern(domain);
  return node;
}

Node::Extra& Node::extra() {
  if (!extra_) extra_ = new (store().allocate(sizeof(Extra))) Extra;
  return *extra_;
}

void Node::set_op(std::string_view op) {
  op_ = store().intern(op);
  store().edited();
}

void Node::set_name(std::string_view name) {
  name_ = store().keep(name);
  if (store().watches_names()) store().introduce_name(name_);
  store().edited();
}

void Node::set_domain(std::string_view domain) {
  domain_ = store().intern(domain);
  store().edited();
}

std::string_view Node::overload() const {
  return extra_ ? extra_->overload : std::string_view();
}

void Node::set_overload(std::string_view overload) {
  extra().overload = store().intern(overload);
  store().edited();
}

std::string_view Node::doc_string() const {
  return extra_ ? extra_->doc : std::string_view();
}

void Node::set_doc_string(std::string_view text) {
  extra().doc = store().keep(text);
  store().edited();
}

std::string_view Node::unknown_fields() const {
  return extra_ ? extra_->unknown : std::string_view();
}

void Node::set_unknown_fields(std::string_view encoded) {
  extra().unknown = store().adopt(encoded);
  store().edited();
}

void Node::set_metadata(std::string_view key, std::string_view value) {
  set_unknown_fields(wire::encoded([&](wire::Writer& writer) {
    for (wire::Reader fields(unknown_fields()); fields.next();) {
      bool replaced = false;
      if (fields.key() == wire::bytes_key(wire::node::kMetadataProps)) {
        for (wire::Reader entry(fields.bytes()); entry.next();)
          replaced |= entry.key() == wire::bytes_key(wire::entry::kKey) && entry.bytes() == key;
      }
      if (!replaced) writer.raw(fields.raw());
    }
    writer.begin(wire::node::kMetadataProps);
    writer.bytes(wire::entry::kKey, key);
    writer.bytes(wire::entry::kValue, value);
    writer.end();
  }));
}

void Node::decode_attributes() const {
  const std::string_view encoded = encoded_attributes_;
  try {
    attributes_ = graphsurgeon::decode_attributes(encoded, store(), nullptr);
  } catch (const wire::ParseError& error) {
    const Source* source = store().source().get();
    throw polygraphy::FormatError((source ? source->where(error.at()) + ": " : std::string()) +
                                      "node '" + std::string(name_) + "' (" + std::string(op_) +
                                      "): " + error.what(),
                                  error.hint());
  }
  encoded_attributes_ = {};
}

std::span<const Attribute> Node::attributes() const {
  if (!encoded_attributes_.empty()) decode_attributes();
  return attributes_;
}

const Attribute* Node::attribute(std::string_view name) const {
  for (const Attribute& attribute : attributes()) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

void Node::set_attribute(Attribute attribute) {
  if (!encoded_attributes_.empty()) decode_attributes();
  adopt_texts(store(), attribute);
  const auto old = std::find_if(attributes_.begin(), attributes_.end(),
                                [&](const Attribute& a) { return a.name == attribute.name; });
  if (old == attributes_.end()) {
    attributes_.push_back(std::move(attribute));
  } else {
    *old = std::move(attribute);
  }
  update_has_subgraphs();
  store().edited();
}

void Node::set_attribute(std::string_view name, const Arg& value) {
  set_attribute(make_attribute(store(), name, value));
}

bool Node::remove_attribute(std::string_view name) {
  if (!encoded_attributes_.empty()) decode_attributes();
  const auto old = std::find_if(attributes_.begin(), attributes_.end(),
                                [&](const Attribute& a) { return a.name == name; });
  if (old == attributes_.end()) return false;
  attributes_.erase(old);
  update_has_subgraphs();
  store().edited();
  return true;
}

void Node::update_has_subgraphs() {
  has_subgraphs_ = std::any_of(attributes_.begin(), attributes_.end(),
                               [](const Attribute& a) { return a.holds_graphs(); });
}

std::vector<GraphRef> Attribute::graphs() const {
  if (const auto* graph = std::get_if<GraphRef>(&value)) {
    return *graph ? std::vector<GraphRef>{*graph} : std::vector<GraphRef>();
  }
  std::vector<GraphRef> graphs;
  if (const auto* list = std::get_if<std::vector<GraphRef>>(&value)) {
    std::copy_if(list->begin(), list->end(), std::back_inserter(graphs),
                 [](const GraphRef& graph) { return static_cast<bool>(graph); });
  }
  return graphs;
}

std::vector<GraphRef> Node::subgraphs_recursive() const {
  std::vector<GraphRef> graphs;
  std::unordered_set<const Graph*> seen;
  std::vector<const Node*> stack{this};
  while (!stack.empty()) {
    const Node& node = *stack.back();
    stack.pop_back();
    for (GraphRef& graph : node.subgraphs()) {
      if (!seen.insert(graph.get()).second) continue;
      for (const NodeRef& inner : graph->nodes()) {
        if (inner->has_subgraphs()) stack.push_back(inner.get());
      }
      graphs.push_back(std::move(graph));
    }
  }
  return graphs;
}

std::vector<GraphRef> Node::subgraphs() const {
  std::vector<GraphRef> graphs;
  if (!has_subgraphs_) return graphs;
  for (const Attribute& attribute : attributes_) {
    if (!attribute.holds_graphs()) continue;
    const std::vector<GraphRef> held = attribute.graphs();
    graphs.insert(graphs.end(), held.begin(), held.end());
  }
  return graphs;
}

Node* Node::i(size_t tensor, size_t producer) const {
  const Tensor& input = *checked_tensor(*this, inputs_, tensor, "input");
  return checked_node(input, input.producers(), producer, "producer");
}

Node* Node::o(size_t consumer, size_t tensor) const {
  const Tensor& output = *checked_tensor(*this, outputs_, tensor, "output");
  return checked_node(output, output.consumers(), consumer, "consumer");
}

}  // namespace graphsurgeon
