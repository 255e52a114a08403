// A node: one application of an operator or local function.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "graphsurgeon/ir/attribute.h"
#include "graphsurgeon/ir/edge_list.h"
#include "graphsurgeon/ir/object.h"

namespace graphsurgeon {

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

  // In file order. Decoded on first use (the nodes of a loaded model keep their encoded attributes until then), except
  // that subgraphs are always imported.
  std::span<const Attribute> attributes() const;
  const Attribute* attribute(std::string_view name) const;  // null when absent
  void set_attribute(Attribute attribute);                  // replaces one of the same name, else appends
  bool remove_attribute(std::string_view name);

  // Graphs in attributes (GRAPH and GRAPHS), in attribute order. Empty for most nodes: O(1) then.
  std::vector<GraphRef> subgraphs() const;
  bool has_subgraphs() const;

  // Encoded fields of NodeProto not known here (metadata_props and device_configurations included).
  std::string_view unknown_fields() const;
  void set_unknown_fields(std::string_view encoded);

 private:
  friend class NodeAccess;
  explicit Node(Store& store);
  ~Node() override;

  struct Extra;  // overload, doc string, unknown fields
  std::string_view op_, name_, domain_;
  TensorList inputs_, outputs_;
  mutable std::vector<Attribute> attributes_;
  mutable std::string_view encoded_attributes_;  // not decoded yet
  std::unique_ptr<Extra> extra_;
  bool has_subgraphs_ = false;
};

}  // namespace graphsurgeon
