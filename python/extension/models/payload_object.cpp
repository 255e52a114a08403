#include "models/payload_object.h"

#include <cstring>
#include <string>
#include <utility>

#include "arrays/buffer_array.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/make.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "models/attribute_bytes.h"
#include "python_class.h"
#include "python_functions.h"
#include "python_values.h"

namespace native {
namespace {

using graphsurgeon::PayloadPtr;
using polygraphy::Array;
using polygraphy::DataType;
namespace wire = graphsurgeon::wire;

struct NamedValues {
  PayloadPtr values;
  std::string name;
};
using PayloadClass = PythonClass<NamedValues>;

const NamedValues& self_of(PyObject* object) {
  return PayloadClass::of(object);
}

PyRef get_dtype(PyObject* object) {
  return to_python(static_cast<int>(self_of(object).values->dtype()));
}

PyRef get_dims(PyObject* object) {
  return to_python(self_of(object).values->shape());
}

PyRef get_nbytes(PyObject* object) {
  return to_python(self_of(object).values->nbytes());
}

PyRef get_sparse(PyObject* object) {
  return to_python(self_of(object).values->kind() == graphsurgeon::Payload::Kind::kSparse);
}

PyRef get_name(PyObject* object) {
  return to_python(self_of(object).name);
}

PyRef read_into(PyObject* object, PyObject* target) {
  const NamedValues& self = self_of(object);
  const WritableBuffer buffer(target);
  if (self.values->dtype() == DataType::kString) {
    raise(PyExc_TypeError, "the values of '" + self.name + "' are texts: use strings()");
  }
  const PayloadPtr values = self.values;
  const size_t wanted = buffer.bytes().size();
  const size_t size = without_gil([&] {
    const Array array = values->load(self.name).contiguous_aligned(1);
    const auto bytes = array.bytes();
    if (bytes.size() == wanted) std::memcpy(buffer.bytes().data(), bytes.data(), wanted);
    return bytes.size();
  });
  if (size != wanted) {
    raise(PyExc_ValueError, "the values of '" + self.name + "' take " + std::to_string(size) +
                                " bytes, the buffer has " + std::to_string(wanted));
  }
  return none();
}

PyRef strings(PyObject* object) {
  const Array array = self_of(object).values->load(self_of(object).name);
  if (array.dtype() != DataType::kString) {
    raise(PyExc_TypeError, "the values of '" + self_of(object).name + "' are not texts");
  }
  return list_of(array.strings(), to_bytes);
}

PyRef proto(PyObject* object) {
  const NamedValues& self = self_of(object);
  graphsurgeon::Model model = graphsurgeon::make_model();
  auto& graph = *model.graph;
  graph.mutable_initializers().push_back(
      graphsurgeon::Tensor::constant(graph.store(), self.name, self.values));
  const std::string encoded = graphsurgeon::encode_model(model);
  const std::string_view message = field_of(encoded, wire::model::kGraph);
  const bool sparse = self.values->kind() == graphsurgeon::Payload::Kind::kSparse;
  return to_bytes(
      field_of(message, sparse ? wire::graph::kSparseInitializer : wire::graph::kInitializer));
}

PyGetSetDef properties[] = {
    {"dtype", get<get_dtype>, nullptr, "The number of the ONNX element type.", nullptr},
    {"dims", get<get_dims>, nullptr, "The shape, as a tuple.", nullptr},
    {"nbytes", get<get_nbytes>, nullptr, "Bytes of the dense values; of texts the sum of lengths.",
     nullptr},
    {"sparse", get<get_sparse>, nullptr, "Whether they are a SparseTensorProto.", nullptr},
    {"name", get<get_name>, nullptr, "Of the tensor they were read for.", nullptr},
    {}};

PyMethodDef methods[] = {
    {"read_into", entry<read_into>, form<read_into>,
     "Copies the dense values (packed, little endian) into a writable buffer of their size."},
    {"strings", entry<strings>, form<strings>, "The texts, as a list of bytes in C order."},
    {"proto", entry<proto>, form<proto>,
     "An encoded TensorProto, or SparseTensorProto of sparse ones."},
    {}};

}  // namespace

PyRef make_payload_class() {
  return PayloadClass::make("polygraphy_native._native.Payload",
                            "The values of a constant of a model.",
                            {{Py_tp_getset, properties}, {Py_tp_methods, methods}});
}

PyRef payload_object(PayloadPtr payload, std::string_view name) {
  return PayloadClass::object({std::move(payload), std::string(name)});
}

PayloadPtr payload_of(PyObject* object) {
  return PayloadClass::is_type_of(object) ? self_of(object).values : nullptr;
}

}  // namespace native
