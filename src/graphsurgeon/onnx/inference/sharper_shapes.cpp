#include "graphsurgeon/onnx/inference/sharper_shapes.h"

#include <onnx/onnx_pb.h>

#include <optional>

#include "graphsurgeon/onnx/inference/shape_agreement.h"

namespace graphsurgeon {

namespace {

// All dimensions but one are those of the input, however many are open.
void sharpen_top_k(NodeContext& context) {
  const onnx::TypeProto* input = context.getInputType(0);
  if (input == nullptr || !has_shape(*input)) return;
  const auto& given = input->tensor_type().shape();
  const onnx::AttributeProto* attribute = context.getAttribute("axis");
  int64_t axis = attribute != nullptr ? attribute->i() : -1;
  if (axis < 0) axis += given.dim_size();
  DimList scratch;
  const DimList* k =
      context.hasInput(1) ? context.body().elements(*context.node().inputs()[1], scratch) : nullptr;
  std::optional<int64_t> count;
  if (k != nullptr && k->size() == 1 && (*k)[0].has_value()) count = (*k)[0].value();
  for (size_t i = 0; i < context.getNumOutputs(); ++i) {
    onnx::TypeProto* output = context.found(i);
    if (output == nullptr || !output->has_tensor_type()) continue;
    auto& shape = *output->mutable_tensor_type()->mutable_shape();
    if (shape.dim_size() != given.dim_size()) continue;
    for (int d = 0; d < shape.dim_size(); ++d) {
      if (d != axis && !shape.dim(d).has_dim_value()) *shape.mutable_dim(d) = given.dim(d);
    }
    if (count && 0 <= axis && axis < shape.dim_size()) {
      shape.mutable_dim(static_cast<int>(axis))->set_dim_value(*count);
    }
  }
}

}  // namespace

void sharpen_shapes(NodeContext& context) {
  if (context.node().op() == "TopK") sharpen_top_k(context);
}

}  // namespace graphsurgeon
