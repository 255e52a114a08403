// Graphs, local functions and models.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/node.h"
#include "graphsurgeon/ir/object.h"
#include "graphsurgeon/ir/tensor.h"
#include "graphsurgeon/ir/tensor_map.h"

namespace graphsurgeon {

struct OpsetImport {
  std::string domain;
  int64_t version = 0;
  // unknown fields, and fields that are present with their default value, encoded
  std::string unknown_fields;
  friend bool operator==(const OpsetImport&, const OpsetImport&) = default;
};

class NameIndex;
struct Layer;  // graphsurgeon/ir/layer.h

// The lists of a graph that hold ValueInfoProtos.
enum class GraphList : uint8_t { kInputs, kOutputs, kValueInfos };

// A (sub)graph: nodes in file order, inputs, outputs, and the constants that the file lists as
// initializers.
//
// Subgraphs see tensors of the enclosing graphs by reference: a node input inside may be an outer
// Tensor object. Within a graph one name is one object, except for what the format forbids: a
// second initializer of the same name is a separate, unused object.
class Graph : public Object {
 public:
  static GraphRef create(Store& store, std::string_view name = {});

  std::string_view name() const { return name_; }
  void set_name(std::string_view name);
  std::string_view doc_string() const { return doc_string_; }
  void set_doc_string(std::string_view text);

  // Editing a list through the mutable form counts as an edit of the store.
  const std::vector<NodeRef>& nodes() const { return nodes_; }
  std::vector<NodeRef>& mutable_nodes() { return edit(nodes_); }
  // As listed in the file, including those that are also initializers (IR < 4, or with a default
  // value).
  const std::vector<TensorRef>& inputs() const { return inputs_; }
  std::vector<TensorRef>& mutable_inputs() { return edit(inputs_); }
  const std::vector<TensorRef>& outputs() const { return outputs_; }
  std::vector<TensorRef>& mutable_outputs() { return edit(outputs_); }
  // Dense and sparse initializers in file order, used or not.
  const std::vector<TensorRef>& initializers() const { return initializers_; }
  std::vector<TensorRef>& mutable_initializers() { return edit(initializers_); }
  // Tensors that value_info describes, in file order; normally neither inputs nor outputs, but some
  // files describe those there too. Saving adds node outputs that gained a type after loading.
  const std::vector<TensorRef>& value_infos() const { return value_infos_; }
  std::vector<TensorRef>& mutable_value_infos() { return edit(value_infos_); }

  // Appends a node made of `layer` (ir/layer.h) and returns its outputs (live: as node.outputs()).
  // Generated names are a prefix, an underscore and a number that counts all attempts in this
  // graph. A name is skipped if a tensor (node) of this graph has it, or had it while names were
  // generated. Names are unique per graph, not across nested ones. New constants join the
  // initializers. Throws Error, having changed nothing, for an argument that cannot be an input, an
  // output or an attribute. Amortised O(inputs + outputs + attributes); the first call, and the
  // first after a mutable_…() list was taken, scans the whole graph: build with layer(), append()
  // and insert(). Later renames of a tensor of another store go unnoticed.
  TensorList& layer(const Layer& layer);
  // Puts an existing node into the list and returns it. Throws Error for a null node and a position
  // behind the end.
  NodeRef append(NodeRef node);
  NodeRef insert(size_t position, NodeRef node);

  // New tensors in the store of this graph, in no list yet. Names are taken as they are.
  TensorRef variable(std::string_view name, DataType dtype = DataType::kUndefined) {
    return Tensor::variable(store(), name, dtype);
  }
  TensorRef variable(std::string_view name, DataType dtype, DimList shape) {
    return Tensor::variable(store(), name, dtype, std::move(shape));
  }
  TensorRef constant(std::string_view name, Array values) {
    return Tensor::constant(store(), name, owned_payload(std::move(values)));
  }

  // Name -> tensor in the order of the graph: inputs, then inputs and outputs of each node, then
  // outputs. Empty tensors and those that only subgraphs use are left out. If two objects share a
  // name, the map has the last one at the place of the first, with a warning to `logger` (may be
  // null); with `check_duplicates` it throws Error. O(graph).
  TensorMap tensors(bool check_duplicates = false, polygraphy::Logger* logger = nullptr) const;

  // Graphs in attributes of the nodes, in their order; a graph that two nodes hold comes twice.
  std::vector<GraphRef> subgraphs(bool recursive = false) const;

  // Name -> tensor for all tensors that this graph itself owns or uses: initializers, inputs,
  // value_info, node inputs and outputs, outputs. The first of a name wins. Built on demand,
  // O(graph).
  std::unordered_map<std::string_view, Tensor*> tensor_map() const;

  // quantization_annotation, metadata_props and unknown fields of GraphProto, encoded.
  std::string_view unknown_fields() const { return unknown_fields_; }
  void set_unknown_fields(std::string_view encoded);

 protected:
  Graph(Store& store, size_t bytes);
  ~Graph() override;

 private:
  friend class GraphAccess;
  template <typename T>
  T& edit(T& list) {
    store().edited();
    lists_edited_ = true;
    return list;
  }

  // The declaration of a tensor that the lists mention more than once.
  struct Declaration {
    GraphList list;
    const Tensor* tensor;
    std::string_view encoded;  // ValueInfoProto; a null view: type and shape of the tensor itself
  };

  std::string_view name_, doc_string_, unknown_fields_;
  std::vector<NodeRef> nodes_;
  std::vector<TensorRef> inputs_, outputs_, initializers_, value_infos_;
  NameIndex& names();
  bool lists_edited_ = false;              // since names_ was built
  std::unique_ptr<NameIndex> names_;       // null until a name is generated
  std::vector<Declaration> declarations_;  // in file order for one tensor and list; rare
};

// A model-local function (FunctionProto). Inputs and outputs are untyped variables unless
// value_info says more.
class Function final : public Graph {
 public:
  static FunctionRef create(Store& store, std::string_view name, std::string_view domain);

  std::string_view domain() const { return domain_; }
  std::string_view overload() const { return overload_; }
  // Attribute parameters: names without a default value, and attributes with one.
  std::vector<std::string_view> required_attributes;
  std::vector<Attribute> default_attributes;
  std::vector<OpsetImport> opset_imports;

 private:
  friend class GraphAccess;
  explicit Function(Store& store);
  ~Function() override;
  bool signature_untouched() const;
  friend struct Model;

  std::string_view domain_, overload_;
  struct Signature;  // the public members as they were read
  std::unique_ptr<const Signature> loaded_;
};

// A whole model (ModelProto). Movable; owns its graph and functions.
struct Model {
  int64_t ir_version = 0;
  std::vector<OpsetImport> opset_imports;
  std::string producer_name, producer_version, domain, doc_string;
  int64_t model_version = 0;
  bool has_model_version = false;
  std::vector<std::pair<std::string, std::string>> metadata;  // metadata_props
  GraphRef graph;
  std::vector<FunctionRef> functions;
  // training_info, configuration, unknown fields, and fields that are present with their default
  // value: encoded.
  std::string unknown_fields;

  // Version of the default domain ("" or "ai.onnx"); nullopt when it is not imported.
  std::optional<int64_t> opset() const;
  // Changes or adds the import of a domain, here and in the functions that import it. Nodes stay
  // unchanged: convert_version() rewrites them. save_model() writes these versions (G12).
  void set_opset(int64_t version, std::string_view of_domain = {});

  // Calls the operator or function of that name on the main graph: see ir/registry.h.
  template <typename... Args>
  std::vector<TensorRef> call(std::string_view name, Args&&... args);

  // The path of the file; empty for a model made in memory. Bytes as loaded live as long as the
  // graph's store.
  std::string path;
  std::string external_data_dir;
  std::string_view loaded_bytes;  // the file's contents; empty for a model made in memory
  uint64_t edits_when_loaded = 0;
  // True when nothing was edited since load (the fields above included: they are compared).
  bool untouched() const;

  // The fields above as they were read; null for a model made in memory.
  struct Header;
  std::shared_ptr<const Header> loaded_header;
  // Called by the loader when everything is in place.
  void remember_as_loaded();
};

// Abandons a model without destroying it, for a program that is about to end. Its memory stays
// reachable and is never freed.
void abandon(Model&& model);

}  // namespace graphsurgeon
