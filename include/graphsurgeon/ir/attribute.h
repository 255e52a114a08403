// Node attributes. The ONNX type tag is kept, so an empty list stays what it was.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "graphsurgeon/ir/object.h"
#include "graphsurgeon/ir/payloads/payload.h"

namespace graphsurgeon {

// onnx.proto AttributeProto.AttributeType.
enum class AttributeType : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kInt = 2,
  kString = 3,
  kTensor = 4,
  kGraph = 5,
  kFloats = 6,
  kInts = 7,
  kStrings = 8,
  kTensors = 9,
  kGraphs = 10,
  kSparseTensor = 11,
  kSparseTensors = 12,
  kTypeProto = 13,
  kTypeProtos = 14,
};

// A tensor inside an attribute: values plus the name it carries (often empty).
struct TensorValue {
  std::string_view name;  // kept by the node's store
  PayloadPtr values;
  std::string_view unknown_fields;  // doc_string, metadata_props …, encoded
};

struct Attribute {
  std::string_view name;  // interned in the node's store
  AttributeType type = AttributeType::kUndefined;
  // Not empty: the value is a reference to this attribute of the enclosing function.
  std::string_view ref_attr_name;
  // Sparse tensors are TensorValues with a sparse payload. Type protos, references and
  // unrecognised kinds: monostate.
  std::variant<std::monostate, float, int64_t, std::string_view, TensorValue, GraphRef,
               std::vector<float>, std::vector<int64_t>, std::vector<std::string_view>,
               std::vector<TensorValue>, std::vector<GraphRef>>
      value;
  // Not empty: the encoded AttributeProto as read, written back unchanged. Used for type protos,
  // unrecognised kinds, and encodings that type and value do not describe (no value, two values).
  // Clear it when you change `value`.
  std::string_view encoded;
  std::string_view unknown_fields;  // doc_string and unknown fields, encoded
  // False: the file lacks the type (IR version 1), and the value implies it.
  bool typed = true;

  bool holds_graphs() const {
    return std::holds_alternative<GraphRef>(value) ||
           std::holds_alternative<std::vector<GraphRef>>(value);
  }
  // The graphs in the value, without null ones.
  std::vector<GraphRef> graphs() const;
  float as_float() const { return std::get<float>(value); }
  int64_t as_int() const { return std::get<int64_t>(value); }
  std::string_view as_string() const { return std::get<std::string_view>(value); }
};

}  // namespace graphsurgeon
