// Tensors: values that flow between nodes (variables) and weights (constants). One class, so that
// conversion between both keeps identity.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "graphsurgeon/ir/dim.h"
#include "graphsurgeon/ir/edge_list.h"
#include "graphsurgeon/ir/object.h"
#include "graphsurgeon/ir/payloads/payload.h"

namespace graphsurgeon {

// onnx.proto TypeProto's cases. Everything but kTensor keeps its full encoding in
// Tensor::type_proto().
enum class TypeKind : uint8_t {
  kNone,
  kTensor,
  kSequence,
  kMap,
  kOptional,
  kSparseTensor,
  kOpaque
};

class Tensor final : public Object {
 public:
  static TensorRef variable(Store& store, std::string_view name,
                            DataType dtype = DataType::kUndefined,
                            std::optional<DimList> shape = std::nullopt);
  static TensorRef constant(Store& store, std::string_view name, PayloadPtr values);
  // An omitted optional input or output: a tensor with the empty name, one object per slot.
  static TensorRef empty(Store& store);

  std::string_view name() const { return name_; }
  void set_name(std::string_view name);
  bool is_empty() const { return name_.empty(); }  // true for the empty name, whatever the size

  bool is_constant() const { return payload_ != nullptr; }
  const PayloadPtr& payload() const { return payload_; }

  // Type and shape; a constant's come from its payload.
  DataType dtype() const { return payload_ ? payload_->dtype() : dtype_; }
  void set_dtype(DataType dtype);
  // nullopt: unknown rank. Empty list: scalar.
  std::optional<DimList> shape() const;
  void set_shape(std::optional<DimList> shape);
  // One dimension: `x->set_dim(0, "N")`; a negative axis counts from the end. Throws Error for an
  // unknown rank and an axis out of range.
  void set_dim(int64_t axis, Dim dim);
  // The declared type: of a variable, dtype() and shape(); of a constant, the declaration as an
  // input or in value_info, if the model has one.
  DataType declared_dtype() const { return dtype_; }
  const DimList* declared_shape() const { return shape_.get(); }  // null: unknown rank
  TypeKind type_kind() const { return type_kind_; }
  // The encoded TypeProto as read, for kinds other than kTensor and for parts that dtype and shape
  // do not cover (denotations, unknown fields); may be empty. set_dtype() and set_shape() drop it.
  std::string_view type_proto() const { return type_proto_; }
  void set_type_proto(TypeKind kind, std::string_view encoded);

  std::string_view doc_string() const;
  void set_doc_string(std::string_view text);

  // In place: every node that refers to this tensor sees the change; edges stay, producers included
  // (cleanup() unlinks those of a constant). They return this tensor.
  Tensor& to_constant(PayloadPtr values);
  Tensor& to_constant(Array values) { return to_constant(owned_payload(std::move(values))); }
  // Without a type: the previous dtype(). Without a shape: a scalar, as in the original (G4).
  Tensor& to_variable(DataType dtype = DataType::kUndefined,
                      std::optional<DimList> shape = DimList{});
  // Keeps the shape.
  Tensor& to_variable_of_same_shape(DataType dtype = DataType::kUndefined);

  // The values of a constant. Throws Error for a variable, and the errors of Payload::load().
  Array values() const;
  // The values for writing in place: `shape->edit_values<int64_t>()[0] = -1`. The constant gets a
  // private copy, O(bytes) per call; other holders of the values keep them. The span is valid until
  // the values are edited or replaced. T is the storage of an element, as for Array::as() (uint16_t
  // for float16 and bfloat16, uint8_t for float8 …). Throws Error for a variable, for texts, for
  // packed types, and if T has another size than an element.
  template <typename T>
  std::span<T> edit_values() {
    static_assert(!std::is_const_v<T>);
    return {static_cast<T*>(edit_bytes(sizeof(T))), static_cast<size_t>(payload_->size())};
  }
  // Gives a constant other values of the same type and shape. Doc string, declared type and unknown
  // fields stay. Throws Error if type or shape differ.
  void replace_values(PayloadPtr values);

  // Nodes that produce (normally at most one) and consume this tensor. A node that uses it in two
  // slots is listed twice. Non-owning: a destroyed node unlinks itself.
  NodeUses& producers() { return producers_; }
  const NodeUses& producers() const { return producers_; }
  NodeUses& consumers() { return consumers_; }
  const NodeUses& consumers() const { return consumers_; }
  Node* producer() const { return producers_.empty() ? nullptr : producers_.front(); }
  // Adds an edge at the end of the node's outputs (inputs).
  void add_producer(Node& node);
  void add_consumer(Node& node);
  // Every consumer reads `other` instead, in the same slots. Outputs of graphs are not touched.
  // O(consumers).
  void replace_in_consumers(TensorRef other);

  // Walk over the graph; never null. The producer's input, or the consumer's output; mind the order
  // of the arguments. Throw Error if it does not exist.
  Tensor* i(size_t tensor = 0, size_t producer = 0) const;
  Tensor* o(size_t consumer = 0, size_t tensor = 0) const;

  // Encoded fields of ValueInfoProto (of TensorProto for a constant) that this version does not
  // know, metadata_props included; kept through a round trip. May be empty.
  std::string_view unknown_fields() const;
  void set_unknown_fields(std::string_view encoded);

 private:
  friend class TensorAccess;
  explicit Tensor(Store& store) : Object(store, sizeof(Tensor)) {}
  ~Tensor() override;

  struct Extra;  // doc strings, unknown fields: rare
  Extra& extra();
  void edited();
  void* edit_bytes(size_t element);

  std::string_view name_;
  std::string_view type_proto_;
  PayloadPtr payload_;
  std::unique_ptr<DimList> shape_;  // null: unknown rank
  Extra* extra_ = nullptr;          // memory of the store
  NodeUses producers_;
  NodeUses consumers_;
  DataType dtype_ = DataType::kUndefined;
  TypeKind type_kind_ = TypeKind::kTensor;
  bool declared_ = false;    // type and shape come from a ValueInfoProto
  uint8_t declared_in_ = 0;  // the list of the graph with that ValueInfoProto
  bool repeated_ = false;    // several ValueInfoProtos describe it: see Graph::Declaration
  bool edited_ = false;      // edited since it was read
};

bool same_name(const Tensor& a, const Tensor& b);

}  // namespace graphsurgeon
