#include "polygraphy/model_tools/inspect/tensor_text.h"

#include <algorithm>

#include "base/arrays/dtype.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/parse_error.h"
#include "graphsurgeon/wire/reader.h"

namespace polygraphy {

using graphsurgeon::Dim;
using graphsurgeon::Tensor;
using graphsurgeon::TypeKind;
namespace wire = graphsurgeon::wire;

namespace {

std::string dtype_text(DataType dtype) {
  const std::string_view name = name_of(dtype);
  return name.empty() ? std::to_string(static_cast<int32_t>(dtype)) : std::string(name);
}

void put_dim(IndentedText& out, int64_t dim) {
  out.put(dim);
}
void put_dim(IndentedText& out, const Dim& dim) {
  if (!dim.param().empty()) {
    out.put(py_str_repr(dim.param()));
  } else {
    out.put(dim.has_value() ? dim.value() : int64_t{-1});
  }
}

// Python's tuple: (), (3,), (1, 2)
template <typename Dims>
void put_tuple(IndentedText& out, const Dims& dims) {
  out.put('(');
  bool first = true;
  for (const auto& dim : dims) {
    if (!first) out.put(", ");
    put_dim(out, dim);
    first = false;
  }
  if (dims.size() == 1) out.put(',');
  out.put(')');
}

// Writes " [dtype=…, shape=…]" piece by piece; nothing when there is no piece.
class Brackets {
 public:
  Brackets(IndentedText& out, bool after_name) : out_(out), after_name_(after_name) {}
  void piece(std::string_view key) {
    if (open_) {
      out_.put(", ");
    } else {
      if (after_name_) out_.put(' ');
      out_.put('[');
    }
    open_ = true;
    out_.put(key);
  }
  void close() {
    if (open_) out_.put(']');
  }

 private:
  IndentedText& out_;
  bool after_name_;
  bool open_ = false;
};

bool is_plain(const Tensor& tensor) {
  return tensor.type_kind() == TypeKind::kTensor || tensor.type_kind() == TypeKind::kNone ||
         tensor.is_constant() || tensor.type_proto().empty();
}

bool has_metadata(const Tensor& tensor) {
  return tensor.is_constant() || !is_plain(tensor) || tensor.dtype() != DataType::kUndefined ||
         tensor.shape().has_value();
}

// White space at the ends of an entry does not count, as in the original.
constexpr std::string_view kSpace = " \t\n\v\f\r\x1c\x1d\x1e\x1f";

std::string_view without_space_in_front(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kSpace), text.size()));
}

std::string_view without_space_behind(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

std::string tensor_type_text(std::string_view encoded) {
  DataType dtype = DataType::kUndefined;
  graphsurgeon::DimList dims;
  bool has_shape = false;
  wire::Reader type(encoded);
  while (type.next()) {
    if (type.key() == wire::varint_key(wire::tensor_type::kElemType)) {
      dtype = static_cast<DataType>(type.as_int32());
    } else if (type.key() == wire::bytes_key(wire::tensor_type::kShape)) {
      has_shape = true;
      wire::Reader shape(type.bytes());
      while (shape.next()) {
        if (shape.key() != wire::bytes_key(wire::shape::kDim)) continue;
        Dim dim;
        wire::Reader fields(shape.bytes());
        while (fields.next()) {
          if (fields.key() == wire::varint_key(wire::dim::kValue)) {
            dim = Dim(fields.as_int64());
          } else if (fields.key() == wire::bytes_key(wire::dim::kParam)) {
            dim = Dim(fields.bytes());
          }
        }
        dims.push_back(dim);
      }
    }
  }
  IndentedText out;
  if (dtype != DataType::kUndefined) out.put(dtype_text(dtype));
  if (has_shape) {
    out.put(dtype != DataType::kUndefined ? ", shape=" : "shape=");
    put_tuple(out, dims);
  }
  return out.take();
}

}  // namespace

void put_dtype(IndentedText& out, DataType dtype) {
  const std::string_view name = name_of(dtype);
  if (name.empty()) {
    out.put(static_cast<int64_t>(dtype));
  } else {
    out.put(name);
  }
}

void put_shape_list(IndentedText& out, std::span<const int64_t> shape) {
  out.put('[');
  bool first = true;
  for (const int64_t dim : shape) {
    if (!first) out.put(", ");
    out.put(dim);
    first = false;
  }
  out.put(']');
}

void put_tensor(IndentedText& out, const Tensor& tensor, std::string_view prefix) {
  std::string_view name = tensor.name();
  if (prefix.empty()) name = without_space_in_front(name);
  if (!has_metadata(tensor)) name = without_space_behind(name);
  out.put(prefix);
  out.put(name);
  Brackets brackets(out, !prefix.empty() || !name.empty());
  if (!is_plain(tensor)) {
    brackets.piece("dtype=");
    out.put(type_text(tensor.type_proto()));
  } else {
    if (tensor.dtype() != DataType::kUndefined) {
      brackets.piece("dtype=");
      put_dtype(out, tensor.dtype());
    }
    if (tensor.is_constant()) {
      brackets.piece("shape=");
      put_tuple(out, tensor.payload()->shape());
    } else if (const auto shape = tensor.shape()) {
      brackets.piece("shape=");
      put_tuple(out, *shape);
    }
  }
  brackets.close();
}

std::string type_text(std::string_view encoded) {
  // Types nest in one place only, so the text is an opening part, the innermost type and brackets.
  std::string text;
  std::string closing;
  try {
    for (;;) {
      wire::Reader fields(encoded);
      uint32_t kind = 0;
      std::string_view inner;
      while (fields.next()) {
        if (fields.type() != wire::WireType::kBytes || fields.number() == wire::type::kDenotation) {
          continue;
        }
        kind = fields.number();
        inner = fields.bytes();
      }
      closing += ')';
      if (kind == wire::type::kTensor || kind == wire::type::kSparseTensor) {
        text += kind == wire::type::kTensor ? "tensor(" : "sparse_tensor(";
        return text + tensor_type_text(inner) + closing;
      }
      std::string_view element;
      std::string_view words[2];
      DataType key_type = DataType::kUndefined;
      wire::Reader parts(inner);
      while (parts.next()) {
        if (parts.type() == wire::WireType::kVarint) {
          key_type = static_cast<DataType>(parts.as_int32());
        } else if (parts.type() == wire::WireType::kBytes) {
          element = parts.bytes();
          if (parts.number() == 1 || parts.number() == 2) words[parts.number() - 1] = element;
        }
      }
      if (kind == wire::type::kSequence) {
        text += "seq(";
      } else if (kind == wire::type::kOptional) {
        text += "optional(";
      } else if (kind == wire::type::kMap) {
        text += "map(" + dtype_text(key_type) + ", ";
      } else if (kind == wire::type::kOpaque) {
        text += "opaque(" + std::string(words[0]) + (words[0].empty() ? "" : ", ");
        return text + std::string(words[1]) + closing;
      } else {
        return text + "unknown" + closing.substr(1);
      }
      encoded = element;
    }
  } catch (const wire::ParseError&) {
    throw FormatError("a tensor's type (TypeProto) is truncated or has an invalid field",
                      "The model file is damaged: download or export it again.");
  }
}

std::string variable_text(const graphsurgeon::Tensor& tensor) {
  std::string text = "Variable (" + std::string(tensor.name()) + "): (shape=";
  if (const auto shape = tensor.shape()) {
    text += '[';
    for (size_t i = 0; i < shape->size(); ++i) {
      const graphsurgeon::Dim& dim = (*shape)[i];
      if (i > 0) text += ", ";
      if (!dim.param().empty()) {
        text += py_str_repr(dim.param());
      } else {
        text += dim.has_value() ? std::to_string(dim.value()) : "None";
      }
    }
    text += ']';
  } else {
    text += "None";
  }
  const std::string_view dtype = name_of(tensor.dtype());
  return text + ", dtype=" + (dtype.empty() ? "None" : std::string(dtype)) + ")";
}

}  // namespace polygraphy
