// A node: one application of an operator or local function.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "graphsurgeon/ir/attribute.h"
#include "graphsurgeon/ir/edge_list.h"
#include "graphsurgeon/ir/object.h"

namespace graphsurgeon {

class Arg;

class Node final : public Object {
 public:
  static NodeRef create(Store& store, std::string_view op, std::string_view name = {},
                        std::string_view domain = {});

  std::string_view op() const { return op_; }
  void set_op(std::string_view op);
  std::string_view name() const { return name_; }
  void set_name(std::string_view name);
  std::string_view domain() const { return domain_; }  // as written; "" and "ai.onnx" mean the same
  void set_domain(std::string_view domain);
  std::string_view overload() const;
  void set_overload(std::string_view overload);
  std::string_view doc_string() const;
  void set_doc_string(std::string_view text);

  TensorList& inputs() { return inputs_; }
  const TensorList& inputs() const { return inputs_; }
  TensorList& outputs() { return outputs_; }
  const TensorList& outputs() const { return outputs_; }

  // Walk over the graph; never null. The producer of an input, or a consumer of an output; mind the
  // order of the arguments. Throw Error if it does not exist.
  Node* i(size_t tensor = 0, size_t producer = 0) const;
  Node* o(size_t consumer = 0, size_t tensor = 0) const;

  // In file order. Decoded on first use (the nodes of a loaded model keep their encoded attributes
  // until then; damage in them throws FormatError from here), except that subgraphs are always
  // imported. The span is valid until the attributes are changed.
  std::span<const Attribute> attributes() const;
  const Attribute* attribute(std::string_view name) const;  // null when absent
  // `node->set_attribute("axis", 1)`, with the values of make_attribute().
  void set_attribute(std::string_view name, const Arg& value);
  // Replaces the attribute of the same name, else appends. Copies texts that are not in the store.
  void set_attribute(Attribute attribute);
  bool remove_attribute(std::string_view name);

  // Graphs in attributes (GRAPH and GRAPHS), in attribute order. Empty for most nodes: O(1) then.
  std::vector<GraphRef> subgraphs() const;
  // The same with nested graphs, each graph once; in the original's order (a stack of nodes).
  std::vector<GraphRef> subgraphs_recursive() const;
  bool has_subgraphs() const { return has_subgraphs_; }

  // Encoded fields of NodeProto not known here (metadata_props and device_configurations included).
  std::string_view unknown_fields() const;
  void set_unknown_fields(std::string_view encoded);
  // Of metadata_props: replaces the values of the key. Throws FormatError for damaged fields.
  void set_metadata(std::string_view key, std::string_view value);

 private:
  friend class NodeAccess;
  friend class NodeIndex;
  explicit Node(Store& store);
  ~Node() override;

  struct Extra;  // overload, doc string, unknown fields
  Extra& extra();
  void decode_attributes() const;
  void update_has_subgraphs();

  // A null view: the file lacks the field. An empty view: the field is present and empty.
  std::string_view op_, name_, domain_;
  TensorList inputs_, outputs_;
  mutable std::vector<Attribute> attributes_;
  mutable std::string_view encoded_attributes_;  // not decoded yet
  Extra* extra_ = nullptr;                       // memory of the store
  bool has_subgraphs_ = false;
  uint32_t mark_ = 0;  // used by NodeIndex; meaningless by itself
};

}  // namespace graphsurgeon
