#include "graphsurgeon/onnx/inference/sharper_shapes.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

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

// A product of sizes, some of them known by name only.
struct Product {
  int64_t known = 1;
  std::unordered_map<std::string, int> names;  // how often

  bool multiply(int64_t size) { return !__builtin_mul_overflow(known, size, &known); }
};

// The size for -1 if all other open dimensions are copied: [N,3,4] under the shape [N,-1] is
// [N,12]. A dimension that is copied to the same position cannot be 0, because then -1 would be
// undetermined, and the node would not run.
std::optional<int64_t> size_left(const onnx::TensorShapeProto& given, const DimList& wanted,
                                 bool zero_is_zero) {
  Product all, told;
  for (const auto& dim : given.dim()) {
    if (dim.has_dim_value()) {
      if (!all.multiply(dim.dim_value())) return std::nullopt;
    } else if (!dim.dim_param().empty()) {
      ++all.names[dim.dim_param()];
    } else {
      return std::nullopt;
    }
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Dim& size = wanted[i];
    if (size.has_value() && size.value() == -1) continue;
    if (size.has_value() && (size.value() != 0 || zero_is_zero)) {
      if (!told.multiply(size.value())) return std::nullopt;
      continue;
    }
    if (static_cast<int>(i) >= given.dim_size()) return std::nullopt;
    const auto& kept = given.dim(static_cast<int>(i));
    if (size.has_value() && kept.has_dim_value()) {
      if (!told.multiply(kept.dim_value())) return std::nullopt;
    } else if (kept.has_dim_value() || (!size.has_value() && kept.dim_param() != size.param())) {
      return std::nullopt;
    } else {
      ++told.names[kept.dim_param()];
    }
  }
  if (all.names != told.names || all.known <= 0 || told.known <= 0) return std::nullopt;
  if (all.known % told.known != 0) return std::nullopt;
  return all.known / told.known;
}

void sharpen_reshape(NodeContext& context) {
  const onnx::TypeProto* input = context.getInputType(0);
  onnx::TypeProto* output = context.found(0);
  if (input == nullptr || !has_shape(*input) || output == nullptr || !has_shape(*output)) return;
  if (!context.hasInput(1)) return;
  DimList scratch;
  const DimList* wanted = context.body().elements(*context.node().inputs()[1], scratch);
  auto& shape = *output->mutable_tensor_type()->mutable_shape();
  if (wanted == nullptr || static_cast<size_t>(shape.dim_size()) != wanted->size()) return;
  const auto is_rest = [](const Dim& size) { return size.has_value() && size.value() == -1; };
  if (std::count_if(wanted->begin(), wanted->end(), is_rest) != 1) return;
  const onnx::AttributeProto* zero = context.getAttribute("allowzero");
  const auto size =
      size_left(input->tensor_type().shape(), *wanted, zero != nullptr && zero->i() != 0);
  if (!size) return;
  const auto rest = std::find_if(wanted->begin(), wanted->end(), is_rest) - wanted->begin();
  shape.mutable_dim(static_cast<int>(rest))->set_dim_value(*size);
}

// The parts have the given sizes, even if the size of the whole is open.
void sharpen_split(NodeContext& context) {
  const onnx::TypeProto* input = context.getInputType(0);
  if (input == nullptr || !has_shape(*input)) return;
  const auto& given = input->tensor_type().shape();
  const onnx::AttributeProto* attribute = context.getAttribute("axis");
  int64_t axis = attribute != nullptr ? attribute->i() : 0;
  if (axis < 0) axis += given.dim_size();
  if (axis < 0 || axis >= given.dim_size()) return;
  DimList scratch;
  const DimList* sizes = nullptr;
  if (const onnx::AttributeProto* split = context.getAttribute("split")) {
    scratch.assign(split->ints().begin(), split->ints().end());
    sizes = &scratch;
  } else if (context.hasInput(1)) {
    sizes = context.body().elements(*context.node().inputs()[1], scratch);
  }
  if (sizes == nullptr || sizes->size() != context.getNumOutputs()) return;
  for (size_t i = 0; i < sizes->size(); ++i) {
    onnx::TypeProto* output = context.found(i);
    if (!(*sizes)[i].is_static() || output == nullptr || !output->has_tensor_type()) continue;
    auto& shape = *output->mutable_tensor_type()->mutable_shape();
    if (shape.dim_size() == 0) shape = given;
    if (shape.dim_size() != given.dim_size()) continue;
    shape.mutable_dim(static_cast<int>(axis))->set_dim_value((*sizes)[i].value());
  }
}

}  // namespace

void sharpen_shapes(NodeContext& context) {
  const std::string_view op = context.node().op();
  if (op == "TopK") sharpen_top_k(context);
  if (op == "Reshape") sharpen_reshape(context);
  if (op == "Split") sharpen_split(context);
}

}  // namespace graphsurgeon
