// The onnx library's TypeProto of a tensor, and the way back. Only for the sources of this library.
#pragma once

#include <optional>

#include "graphsurgeon/ir/tensor.h"

namespace google::protobuf {
class Arena;
}
namespace onnx {
class TypeProto;
}

namespace graphsurgeon {

// The declared type of the tensor, or the type of a constant's values if it has no declaration. On
// the arena; null: unknown. Negative dimensions, which inference functions would use, become
// unknown.
onnx::TypeProto* type_message(const Tensor& tensor, google::protobuf::Arena& arena);

// The dimensions in a tensor's type; nullopt: null, another type, or the rank is unknown.
std::optional<DimList> dims_of(const onnx::TypeProto* type);

// Tensors that a file keeps in sparse form are tensors like all others to the nodes that read them:
// sparse types become dense ones.
void make_dense(onnx::TypeProto& type);

// Writes a type that is not less precise than the tensor's own. Returns whether anything is new.
// Tensors that stay as they are are not touched, so that a model that says it all already counts as
// unedited. Constants have the types of their values: never touched.
bool write_type(const onnx::TypeProto& type, Tensor& tensor);

}  // namespace graphsurgeon
