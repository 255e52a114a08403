#include "graphsurgeon/onnx/inference/value_message.h"

#include <google/protobuf/arena.h>
#include <onnx/onnx_pb.h>

#include <string>

#include "base/error.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/payloads/sparse_payload.h"
#include "graphsurgeon/onnx/inference/type_message.h"

namespace graphsurgeon {

namespace {

using google::protobuf::Arena;
using onnx::TensorProto;

void set_header(const Payload& values, std::string_view name, TensorProto& out) {
  out.set_data_type(static_cast<int>(values.dtype()));
  if (!name.empty()) out.set_name(name.data(), name.size());
  for (const int64_t dim : values.shape()) out.add_dims(dim);
}

// False: adds nothing to the header.
bool add_values(const Payload& values, std::string_view name, TensorProto& out) {
  if (values.kind() == Payload::Kind::kSparse || values.size() > kMostValueBytes ||
      values.nbytes() > kMostValueBytes || !polygraphy::is_known(values.dtype())) {
    return false;
  }
  try {
    const Array array = values.load(name).contiguous_aligned();
    if (array.dtype() == DataType::kString) {
      for (const std::string& text : array.strings()) out.add_string_data(text);
    } else {
      const auto bytes = array.bytes();
      out.set_raw_data(bytes.data(), bytes.size());
    }
    return true;
  } catch (const polygraphy::Error&) {
    return false;
  }
}

void fill_tensor(const TensorValue& tensor, TensorProto& out) {
  if (!tensor.values) return;
  set_header(*tensor.values, tensor.name, out);
  // Says to inference functions that the values are elsewhere.
  if (!add_values(*tensor.values, tensor.name, out)) out.set_data_location(TensorProto::EXTERNAL);
}

void fill_sparse_tensor(const TensorValue& tensor, onnx::SparseTensorProto& out) {
  if (!tensor.values) return;
  for (const int64_t dim : tensor.values->shape()) out.add_dims(dim);
  out.mutable_values()->set_data_type(static_cast<int>(tensor.values->dtype()));
  out.mutable_values()->set_data_location(TensorProto::EXTERNAL);
  if (tensor.values->kind() != Payload::Kind::kSparse) return;
  const auto& sparse = static_cast<const SparsePayload&>(*tensor.values);
  for (const auto& [part, message] : {std::pair(&sparse.values(), out.mutable_values()),
                                      std::pair(&sparse.indices(), out.mutable_indices())}) {
    if (!part->values) continue;
    message->Clear();
    fill_tensor({part->name, part->values, {}}, *message);
  }
}

void fill_graph(const GraphRef& graph, Arena& arena, onnx::GraphProto& out) {
  if (!graph) return;
  const auto fill = [&](const std::vector<TensorRef>& tensors, auto* infos) {
    for (const TensorRef& tensor : tensors) {
      auto* info = infos->Add();
      info->set_name(tensor->name().data(), tensor->name().size());
      if (const auto* type = type_message(*tensor, arena)) *info->mutable_type() = *type;
    }
  };
  fill(graph->inputs(), out.mutable_input());
  fill(graph->outputs(), out.mutable_output());
}

class Filler {
 public:
  Filler(AttributeType type, Arena& arena, onnx::AttributeProto& out)
      : is_sparse_(type == AttributeType::kSparseTensor || type == AttributeType::kSparseTensors),
        arena_(arena),
        out_(out) {}

  void operator()(std::monostate) {}
  void operator()(float value) { out_.set_f(value); }
  void operator()(int64_t value) { out_.set_i(value); }
  void operator()(std::string_view text) { out_.set_s(text.data(), text.size()); }
  void operator()(const TensorValue& tensor) {
    if (is_sparse_) {
      fill_sparse_tensor(tensor, *out_.mutable_sparse_tensor());
    } else {
      fill_tensor(tensor, *out_.mutable_t());
    }
  }
  void operator()(const GraphRef& graph) { fill_graph(graph, arena_, *out_.mutable_g()); }
  void operator()(const std::vector<float>& values) {
    out_.mutable_floats()->Add(values.begin(), values.end());
  }
  void operator()(const std::vector<int64_t>& values) {
    out_.mutable_ints()->Add(values.begin(), values.end());
  }
  void operator()(const std::vector<std::string_view>& texts) {
    for (const std::string_view text : texts) out_.add_strings(text.data(), text.size());
  }
  void operator()(const std::vector<TensorValue>& tensors) {
    for (const TensorValue& tensor : tensors) {
      if (is_sparse_) {
        fill_sparse_tensor(tensor, *out_.add_sparse_tensors());
      } else {
        fill_tensor(tensor, *out_.add_tensors());
      }
    }
  }
  void operator()(const std::vector<GraphRef>& graphs) {
    for (const GraphRef& graph : graphs) fill_graph(graph, arena_, *out_.add_graphs());
  }

 private:
  bool is_sparse_;
  Arena& arena_;
  onnx::AttributeProto& out_;
};

}  // namespace

TensorProto* value_message(const Payload& values, std::string_view name, Arena& arena) {
  auto* message = Arena::CreateMessage<TensorProto>(&arena);
  set_header(values, name, *message);
  return add_values(values, name, *message) ? message : nullptr;
}

bool append_elements(const Payload& values, std::string_view name, DimList& out) {
  const DataType dtype = values.dtype();
  if (values.kind() == Payload::Kind::kSparse || values.shape().size() > 1 ||
      values.size() > kMostElements ||
      !(polygraphy::is_integral(dtype) || dtype == DataType::kBool)) {
    return false;
  }
  try {
    const Array array = values.load(name);
    for (int64_t i = 0; i < array.size(); ++i) {
      const int64_t value = array.get_int64(i);
      const bool too_large = dtype == DataType::kUint64 && value < 0;
      out.push_back(too_large ? Dim() : Dim(value));
    }
    return true;
  } catch (const polygraphy::Error&) {
    return false;
  }
}

onnx::AttributeProto* attribute_message(const Attribute& attribute, Arena& arena) {
  auto* message = Arena::CreateMessage<onnx::AttributeProto>(&arena);
  if (!attribute.encoded.empty() &&
      !message->ParseFromArray(attribute.encoded.data(),
                               static_cast<int>(attribute.encoded.size()))) {
    throw polygraphy::FormatError("attribute '" + std::string(attribute.name) + "' cannot be read");
  }
  if (!attribute.encoded.empty()) return message;
  message->set_name(attribute.name.data(), attribute.name.size());
  message->set_type(static_cast<onnx::AttributeProto::AttributeType>(attribute.type));
  std::visit(Filler(attribute.type, arena, *message), attribute.value);
  return message;
}

}  // namespace graphsurgeon
