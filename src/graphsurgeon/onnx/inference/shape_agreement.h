// The combined shape of two types of one tensor. Only for the sources of this library.
#pragma once

namespace onnx {
class TypeProto;
}

namespace graphsurgeon {

bool has_shape(const onnx::TypeProto& type);
// Leaves in `assumed` only facts of the shape that `found` (or null: nothing) shares. Returns
// whether that is less than before.
bool weaken(onnx::TypeProto& assumed, const onnx::TypeProto* found);
// Open dimensions of `given` get the sizes that `declared` fixes, where both have the same rank.
void take_sizes(const onnx::TypeProto& declared, onnx::TypeProto& given);

}  // namespace graphsurgeon
