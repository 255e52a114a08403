#include "graphsurgeon/onnx/inference/hazards.h"

#include <onnx/defs/shape_inference.h>
#include <onnx/defs/tensor_proto_util.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/onnx/disputed_slice.h"

namespace graphsurgeon {

namespace {

// Longer lists of dimensions are not shapes; more outputs no node has.
constexpr int64_t kMost = 1024;

// Letters, with at most one "...".
bool is_readable_term(std::string_view term) {
  const size_t dots = term.find("...");
  for (size_t i = 0; i < term.size(); ++i) {
    const bool in_dots = dots != std::string_view::npos && i >= dots && i < dots + 3;
    const char c = term[i];
    if (!in_dots && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z')) return false;
  }
  return true;
}

// "ij, jk -> ik": terms on the left, spaces anywhere.
bool is_readable_equation(std::string_view equation) {
  std::string terms(equation);
  std::erase(terms, ' ');
  const size_t arrow = terms.find("->");
  if (arrow != std::string::npos) {
    if (!is_readable_term(std::string_view(terms).substr(arrow + 2))) return false;
    terms.resize(arrow);
  }
  for (const std::string_view term : polygraphy::split(terms, ',')) {
    if (!is_readable_term(term)) return false;
  }
  return true;
}

const onnx::TensorShapeProto* shape_of(const onnx::InferenceContext& context, size_t input) {
  if (input >= context.getNumInputs()) return nullptr;
  const onnx::TypeProto* type = context.getInputType(input);
  if (type == nullptr || !type->has_tensor_type() || !type->tensor_type().has_shape())
    return nullptr;
  return &type->tensor_type().shape();
}

int64_t int_attribute(const onnx::InferenceContext& context, const char* name, int64_t otherwise) {
  const onnx::AttributeProto* attribute = context.getAttribute(name);
  return attribute != nullptr && attribute->has_i() ? attribute->i() : otherwise;
}

std::vector<int64_t> integers(const onnx::InferenceContext& context, size_t input) {
  if (input >= context.getNumInputs()) return {};
  const onnx::TensorProto* values = context.getInputData(input);
  if (values == nullptr) return {};
  if (values->data_type() == onnx::TensorProto::INT64) return onnx::ParseData<int64_t>(values);
  if (values->data_type() != onnx::TensorProto::INT32) return {};
  const std::vector<int32_t> narrow = onnx::ParseData<int32_t>(values);
  return {narrow.begin(), narrow.end()};
}

}  // namespace

bool is_disputed(const Node& node, const onnx::InferenceContext& context) {
  if (!is_default_domain(node.domain()) || node.op() != "Slice") return false;
  const std::vector<int64_t> ends = integers(context, 2), steps = integers(context, 4);
  return is_disputed_slice(ends, steps);
}

std::string inference_hazard(const Node& node, const onnx::InferenceContext& context) {
  if (!is_default_domain(node.domain())) return {};
  const std::string_view op = node.op();
  if (op == "Einsum") {  // loops forever
    const onnx::AttributeProto* equation = context.getAttribute("equation");
    if (equation != nullptr && !is_readable_equation(equation->s())) {
      return "the equation '" + equation->s() + "' is invalid";
    }
  } else if (op == "Split") {  // makes a list of that length
    const int64_t count = int_attribute(context, "num_outputs", 0);
    if (count > kMost && count > static_cast<int64_t>(node.outputs().size())) {
      return "num_outputs is " + std::to_string(count) + ", but it has " +
             std::to_string(node.outputs().size()) + " outputs";
    }
  } else if (op == "Expand") {  // makes a shape of that rank
    const onnx::TensorShapeProto* shape = shape_of(context, 1);
    if (shape != nullptr && shape->dim_size() == 1 && shape->dim(0).dim_value() > kMost) {
      return "a shape of " + std::to_string(shape->dim(0).dim_value()) + " dimensions";
    }
  } else if (op == "LayerNormalization") {  // looks for that dimension wherever it may be
    const onnx::TensorShapeProto* shape = shape_of(context, 0);
    const int64_t axis = int_attribute(context, "axis", -1);
    if (shape != nullptr && (axis < -shape->dim_size() || axis >= shape->dim_size())) {
      return "axis " + std::to_string(axis) + " of a tensor of rank " +
             std::to_string(shape->dim_size());
    }
  } else if (op == "GatherND") {
    const int64_t batch = int_attribute(context, "batch_dims", 0);
    for (const size_t input : {0, 1}) {
      const onnx::TensorShapeProto* shape = shape_of(context, input);
      if (shape != nullptr && (batch < 0 || batch > shape->dim_size())) {
        return "batch_dims " + std::to_string(batch) + " of a tensor of rank " +
               std::to_string(shape->dim_size());
      }
    }
  }
  return {};
}

}  // namespace graphsurgeon
