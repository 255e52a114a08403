// Access for io/ to the internals of objects: building them without counting edits, and encoding
// them. Views are stored as they are: they must live as long as the object's store.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/node.h"
#include "graphsurgeon/ir/tensor.h"

namespace graphsurgeon {

// In all of these a null view means: the field is missing; an empty one: it is present, but empty.

struct Tensor::Extra {
  std::string_view doc;                  // of the ValueInfoProto
  std::string_view unknown;              // of the ValueInfoProto, doc_string excluded
  std::string_view initializer_unknown;  // of the TensorProto, doc_string included
};

class TensorAccess {
 public:
  static Tensor* create(Store& store, std::string_view name) {
    auto* tensor = new (store.allocate(sizeof(Tensor))) Tensor(store);
    tensor->name_ = name;
    return tensor;
  }
  static void set_payload(Tensor& t, PayloadPtr payload) { t.payload_ = std::move(payload); }
  static void declare(Tensor& t, TypeKind kind, DataType dtype, std::unique_ptr<DimList> shape,
                      std::string_view type_proto) {
    t.type_kind_ = kind;
    t.dtype_ = dtype;
    t.shape_ = std::move(shape);
    t.type_proto_ = type_proto;
    t.declared_ = true;
  }
  // Copies the declaration of `from` by ValueInfoProtos. Views live as long as its store.
  static void copy_declaration(const Tensor& from, Tensor& to, std::unique_ptr<DimList> shape,
                               std::string_view type_proto) {
    declare(to, from.type_kind_, from.dtype_, std::move(shape), type_proto);
    to.declared_ = from.declared_;
    to.declared_in_ = from.declared_in_;
    to.repeated_ = from.repeated_;
    to.edited_ = from.edited_;
  }
  // A ValueInfoProto declares its type; of a constant, independently of its values.
  static bool declared(const Tensor& t) { return t.declared_; }
  static void set_declared_in(Tensor& t, GraphList list) {
    t.declared_in_ = static_cast<uint8_t>(list);
  }
  static GraphList declared_in(const Tensor& t) { return static_cast<GraphList>(t.declared_in_); }
  // Marks the tensor as declared repeatedly; true on the first call.
  static bool becomes_repeated(Tensor& t) { return !std::exchange(t.repeated_, true); }
  static bool edited(const Tensor& t) { return t.edited_; }
  static Tensor::Extra& extra(Tensor& t) { return t.extra(); }
  static const Tensor::Extra* find_extra(const Tensor& t) { return t.extra_; }  // may be null
};

struct Node::Extra {
  std::string_view overload, doc, unknown;
};

class NodeAccess {
 public:
  static Node* create(Store& store) { return new (store.allocate(sizeof(Node))) Node(store); }
  static void set_names(Node& n, std::string_view op, std::string_view name,
                        std::string_view domain) {
    n.op_ = op;
    n.name_ = name;
    n.domain_ = domain;
  }
  static void set_extra(Node& n, std::string_view overload, std::string_view doc,
                        std::string_view unknown) {
    n.extra() = {overload, doc, unknown};
  }
  static const Node::Extra* find_extra(const Node& n) { return n.extra_; }  // may be null
  static std::string_view encoded_attributes(const Node& n) { return n.encoded_attributes_; }
  static void set_encoded_attributes(Node& n, std::string_view encoded) {
    n.encoded_attributes_ = encoded;
  }
  static void set_attributes(Node& n, std::vector<Attribute> attributes) {
    n.attributes_ = std::move(attributes);
    n.update_has_subgraphs();
  }
  // After reserve(): a slot without the checks and the edit count of append().
  static void append(TensorList& list, Tensor* tensor) {
    list.link(*new (list.slots_ + list.size_) Slot, TensorRef(tensor));
    ++list.size_;
  }
};

class GraphAccess {
 public:
  using Declaration = Graph::Declaration;
  using List = GraphList;

  static Graph* create_graph(Store& store);
  static Function* create_function(Store& store);
  static void set_names(Graph& g, std::string_view name, std::string_view doc) {
    g.name_ = name;
    g.doc_string_ = doc;
  }
  static void set_identity(Function& f, std::string_view domain, std::string_view overload) {
    f.domain_ = domain;
    f.overload_ = overload;
  }
  static void set_unknown(Graph& g, std::string_view unknown) { g.unknown_fields_ = unknown; }
  static std::vector<NodeRef>& nodes(Graph& g) { return g.nodes_; }
  static std::vector<TensorRef>& inputs(Graph& g) { return g.inputs_; }
  static std::vector<TensorRef>& outputs(Graph& g) { return g.outputs_; }
  static std::vector<TensorRef>& initializers(Graph& g) { return g.initializers_; }
  static std::vector<TensorRef>& value_infos(Graph& g) { return g.value_infos_; }
  static std::vector<Declaration>& declarations(Graph& g) { return g.declarations_; }
  static const std::vector<Declaration>& declarations(const Graph& g) { return g.declarations_; }
  static void remember_signature(Function& f);
};

}  // namespace graphsurgeon
