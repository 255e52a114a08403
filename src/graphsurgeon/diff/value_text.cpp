#include "graphsurgeon/diff/value_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/arrays/py_repr.h"
#include "graphsurgeon/io/type_codec.h"
#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/payloads/source.h"

namespace graphsurgeon {

namespace {

std::string type_text(DataType type) {
  const std::string_view name = polygraphy::name_of(type);
  if (!name.empty()) return std::string(name);
  return type == DataType::kUndefined ? "no type" : fmt::format("type {}", static_cast<int>(type));
}

std::string_view kind_text(TypeKind kind) {
  switch (kind) {
    case TypeKind::kSequence:
      return "sequence";
    case TypeKind::kMap:
      return "map";
    case TypeKind::kOptional:
      return "optional";
    case TypeKind::kSparseTensor:
      return "sparse tensor";
    case TypeKind::kOpaque:
      return "opaque";
    default:
      return "no type";
  }
}

struct ValueText {
  std::string operator()(std::monostate) const { return "(no value)"; }
  std::string operator()(float v) const { return polygraphy::py_float32_repr(v); }
  std::string operator()(int64_t v) const { return std::to_string(v); }
  std::string operator()(std::string_view v) const {
    constexpr size_t kLong = 200;
    if (v.size() <= kLong) return polygraphy::py_str_repr(v);
    return fmt::format("{}… ({} bytes)", polygraphy::py_str_repr(v.substr(0, kLong)), v.size());
  }
  std::string operator()(const TensorValue& v) const {
    return v.values ? payload_type_text(*v.values) : "(no tensor)";
  }
  std::string operator()(const GraphRef& v) const {
    return v ? fmt::format("graph of {} nodes", v->nodes().size()) : "(no graph)";
  }
  template <typename T>
  std::string operator()(const std::vector<T>& list) const {
    constexpr size_t kLong = 32;
    std::string text = "[";
    for (size_t i = 0; i < list.size() && i < kLong; ++i) {
      text += (i > 0 ? ", " : "") + (*this)(list[i]);
    }
    if (list.size() > kLong) return text + fmt::format(", …] ({} values)", list.size());
    return text + ']';
  }
};

std::string shaped_text(DataType dtype, const DimList* shape) {
  if (!shape) return type_text(dtype) + " of unknown rank";
  std::string dims;
  for (const Dim& dim : *shape) {
    if (!dims.empty()) dims += ", ";
    dims += dim.has_value()       ? std::to_string(dim.value())
            : dim.param().empty() ? "?"
                                  : polygraphy::py_str_repr(dim.param());
  }
  return fmt::format("{}[{}]", type_text(dtype), dims);
}

}  // namespace

std::string tensor_type_text(const Tensor& tensor) {
  if (!tensor.is_constant() && tensor.type_kind() != TypeKind::kTensor) {
    return std::string(kind_text(tensor.type_kind()));
  }
  const auto shape = tensor.shape();
  return shaped_text(tensor.dtype(), shape ? &*shape : nullptr);
}

std::string declared_type_text(const Tensor& tensor) {
  if (!tensor.is_constant() || !tensor.declared_shape()) return tensor_type_text(tensor);
  return shaped_text(tensor.dtype(), tensor.declared_shape());
}

std::string declared_type_text(const Graph& graph, GraphList list, const Tensor& tensor) {
  for (const auto& [its_list, its_tensor, encoded] : GraphAccess::declarations(graph)) {
    if (its_tensor != &tensor || its_list != list || TensorAccess::edited(tensor)) continue;
    if (encoded.data() == nullptr) break;
    const DecodedType type = decode_value_info(encoded, Source()).type;
    if (type.kind == TypeKind::kTensor) return shaped_text(type.dtype, type.shape.get());
    return std::string(kind_text(type.kind));
  }
  return declared_type_text(tensor);
}

std::string payload_type_text(const Payload& payload) {
  return fmt::format("{}[{}]", type_text(payload.dtype()), fmt::join(payload.shape(), ", "));
}

std::string attribute_text(const Attribute& attribute) {
  if (!attribute.ref_attr_name.empty()) {
    return fmt::format("the function's attribute {}",
                       polygraphy::py_str_repr(attribute.ref_attr_name));
  }
  return std::visit(ValueText(), attribute.value);
}

}  // namespace graphsurgeon
