#include "polygraphy/model_tools/inspect/attribute_text.h"

#include <variant>
#include <vector>

#include "base/arrays/dtype.h"
#include "base/arrays/numpy_text.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/model_tools/inspect/tensor_text.h"

namespace polygraphy {

using graphsurgeon::Attribute;
using graphsurgeon::AttributeType;
using graphsurgeon::GraphRef;
using graphsurgeon::Payload;
using graphsurgeon::TensorValue;

namespace {

// A sparse tensor is a few numbers in the file and may be any size when dense.
constexpr int64_t kMaxDenseBytes = int64_t{256} << 20;

std::string_view type_name(AttributeType type) {
  switch (type) {
    case AttributeType::kUndefined:
      return "UNDEFINED";
    case AttributeType::kFloat:
      return "FLOAT";
    case AttributeType::kInt:
      return "INT";
    case AttributeType::kString:
      return "STRING";
    case AttributeType::kTensor:
      return "TENSOR";
    case AttributeType::kGraph:
      return "GRAPH";
    case AttributeType::kFloats:
      return "FLOATS";
    case AttributeType::kInts:
      return "INTS";
    case AttributeType::kStrings:
      return "STRINGS";
    case AttributeType::kTensors:
      return "TENSORS";
    case AttributeType::kGraphs:
      return "GRAPHS";
    case AttributeType::kSparseTensor:
      return "SPARSE_TENSOR";
    case AttributeType::kSparseTensors:
      return "SPARSE_TENSORS";
    case AttributeType::kTypeProto:
      return "TYPE_PROTO";
    case AttributeType::kTypeProtos:
      return "TYPE_PROTOS";
  }
  return {};
}

// Attributes with the number of an element type.
bool names_a_type(std::string_view attribute) {
  return attribute == "to" || attribute == "dtype" || attribute == "target_type";
}

// ONNX's spelling in lower case, except for the two that NumPy spells differently.
std::string type_attribute_text(int64_t value) {
  const auto type = static_cast<DataType>(value);
  if (type == DataType::kFloat32) return "float32";
  if (type == DataType::kFloat64) return "float64";
  if (value == 0) return "undefined";
  const std::string_view name = value == static_cast<int32_t>(value) ? onnx_name_of(type) : "";
  return name.empty() ? std::to_string(value) : to_lower(name);
}

// Texts that are not UTF-8, on which the original fails: their bytes appear as \xNN.
std::string utf8(std::string_view text) {
  std::string result;
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint point = first_code_point(rest);
    if (point.value >= 0xdc80 && point.value <= 0xdcff) {
      constexpr char kHex[] = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(rest[0]);
      result += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      result += rest.substr(0, point.length);
    }
    rest.remove_prefix(point.length);
  }
  return result;
}

template <typename T, typename Put>
void put_list(IndentedText& out, const std::vector<T>& values, Put put) {
  out.put('[');
  bool first = true;
  for (const T& value : values) {
    if (!first) out.put(", ");
    put(value);
    first = false;
  }
  out.put(']');
}

void put_tensor_value(IndentedText& out, const TensorValue& tensor, bool weights, Logger& logger) {
  const Payload& values = *tensor.values;
  out.put("Tensor: [dtype=");
  put_dtype(out, values.dtype());
  out.put(", shape=");
  put_shape_list(out, values.shape());
  out.put(']');
  if (!weights) return;
  out.put(" | Values:");
  out.continue_line();
  out.put_block(indent(values_text(values, tensor.name, logger)));
}

}  // namespace

bool is_shown(const Attribute& attribute) {
  switch (attribute.type) {
    case AttributeType::kFloat:
    case AttributeType::kInt:
    case AttributeType::kString:
    case AttributeType::kTensor:
    case AttributeType::kGraph:
    case AttributeType::kFloats:
    case AttributeType::kInts:
    case AttributeType::kStrings:
      return !std::holds_alternative<std::monostate>(attribute.value);
    default:
      return false;
  }
}

std::string skipped_attribute_text(const Attribute& attribute) {
  const std::string_view name = type_name(attribute.type);
  if (name.empty()) {
    return "Attribute type " + std::to_string(static_cast<int32_t>(attribute.type)) +
           " was not recognized. Skipping attribute.";
  }
  return "Attribute of type " + std::string(name) +
         " is currently unsupported. Skipping attribute.";
}

void put_attribute_value(IndentedText& out, const Attribute& attribute, bool weights,
                         Logger& logger) {
  const auto put_float = [&](float value) { out.put(py_float_repr(static_cast<double>(value))); };
  if (const auto* number = std::get_if<float>(&attribute.value)) {
    put_float(*number);
  } else if (const auto* integer = std::get_if<int64_t>(&attribute.value)) {
    if (names_a_type(attribute.name)) {
      out.put(type_attribute_text(*integer));
    } else {
      out.put(*integer);
    }
  } else if (const auto* text = std::get_if<std::string_view>(&attribute.value)) {
    out.put_block(utf8(*text));
  } else if (const auto* tensor = std::get_if<TensorValue>(&attribute.value)) {
    put_tensor_value(out, *tensor, weights, logger);
  } else if (const auto* floats = std::get_if<std::vector<float>>(&attribute.value)) {
    put_list(out, *floats, put_float);
  } else if (const auto* ints = std::get_if<std::vector<int64_t>>(&attribute.value)) {
    put_shape_list(out, *ints);
  } else if (const auto* texts = std::get_if<std::vector<std::string_view>>(&attribute.value)) {
    put_list(out, *texts, [&](std::string_view one) { out.put(py_str_repr(utf8(one))); });
  }
}

std::string values_text(const Payload& values, std::string_view tensor, Logger& logger) {
  try {
    if (values.kind() == Payload::Kind::kSparse && values.nbytes() > kMaxDenseBytes) {
      return "<sparse: " + std::to_string(values.size()) + " elements>";
    }
    return numpy_str(values.load(tensor));
  } catch (const Error& error) {
    logger.error(log_modules::kOnnxUtil,
                 std::string("Failed to load weights.\nNote: Error was: ") + error.what(),
                 Once::kYes);
    return "<error: failed to load weights>";
  }
}

}  // namespace polygraphy
