#include "models/payload_object.h"

#include <cstring>
#include <string>

#include "arrays/buffer_array.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/make.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "models/attribute_bytes.h"

namespace native {
namespace {

using graphsurgeon::PayloadPtr;
using polygraphy::Array;
using polygraphy::DataType;
namespace wire = graphsurgeon::wire;

struct PayloadObject {
  PyObject_HEAD PayloadPtr values;
  std::string name;
};

PyObject* payload_class = nullptr;

PayloadObject& self_of(PyObject* object) {
  return *reinterpret_cast<PayloadObject*>(object);
}

void deallocate(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  self_of(object).values.~PayloadPtr();
  self_of(object).name.~basic_string();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

PyObject* get_dtype(PyObject* object, void*) {
  return PyLong_FromLong(static_cast<long>(self_of(object).values->dtype()));
}

PyObject* get_dims(PyObject* object, void*) {
  return guarded([&] {
    const auto& shape = self_of(object).values->shape();
    PyRef tuple = PyRef::take(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
    for (size_t i = 0; i < shape.size(); ++i) {
      check(
          PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), to_python(shape[i]).release()));
    }
    return tuple;
  });
}

PyObject* get_nbytes(PyObject* object, void*) {
  return PyLong_FromLongLong(self_of(object).values->nbytes());
}

PyObject* get_sparse(PyObject* object, void*) {
  return PyBool_FromLong(self_of(object).values->kind() == graphsurgeon::Payload::Kind::kSparse);
}

PyObject* get_name(PyObject* object, void*) {
  return guarded([&] { return to_python(self_of(object).name); });
}

PyObject* read_into(PyObject* object, PyObject* target) {
  return guarded([&] {
    const PayloadObject& self = self_of(object);
    const WritableBuffer buffer(target);
    if (self.values->dtype() == DataType::kString) {
      raise(PyExc_TypeError, "the values of '" + self.name + "' are texts: use strings()");
    }
    const PayloadPtr values = self.values;
    std::string problem;
    {
      const WithoutGil released;
      const Array array = values->load(self.name).contiguous_aligned(1);
      const auto bytes = array.bytes();
      const auto target_bytes = buffer.bytes();
      if (bytes.size() == target_bytes.size()) {
        std::memcpy(target_bytes.data(), bytes.data(), bytes.size());
      } else {
        problem = "the values of '" + self.name + "' take " + std::to_string(bytes.size()) +
                  " bytes, the buffer has " + std::to_string(target_bytes.size());
      }
    }
    if (!problem.empty()) raise(PyExc_ValueError, problem);
    return none();
  });
}

PyObject* strings(PyObject* object, PyObject*) {
  return guarded([&] {
    const Array array = self_of(object).values->load(self_of(object).name);
    if (array.dtype() != DataType::kString) {
      raise(PyExc_TypeError, "the values of '" + self_of(object).name + "' are not texts");
    }
    PyRef list = PyRef::take(PyList_New(0));
    for (const std::string& text : array.strings()) {
      check(PyList_Append(list.get(), to_bytes(text).get()));
    }
    return list;
  });
}

PyObject* proto(PyObject* object, PyObject*) {
  return guarded([&] {
    const PayloadObject& self = self_of(object);
    graphsurgeon::Model model = graphsurgeon::make_model();
    auto& graph = *model.graph;
    graph.mutable_initializers().push_back(
        graphsurgeon::Tensor::constant(graph.store(), self.name, self.values));
    const std::string encoded = graphsurgeon::encode_model(model);
    const std::string_view message = field_of(encoded, wire::model::kGraph);
    const bool sparse = self.values->kind() == graphsurgeon::Payload::Kind::kSparse;
    return to_bytes(
        field_of(message, sparse ? wire::graph::kSparseInitializer : wire::graph::kInitializer));
  });
}

PyGetSetDef properties[] = {
    {"dtype", get_dtype, nullptr, "The number of the ONNX element type.", nullptr},
    {"dims", get_dims, nullptr, "The shape, as a tuple.", nullptr},
    {"nbytes", get_nbytes, nullptr, "Bytes of the dense values; of texts the sum of lengths.",
     nullptr},
    {"sparse", get_sparse, nullptr, "Whether they are a SparseTensorProto.", nullptr},
    {"name", get_name, nullptr, "Of the tensor they were read for.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef methods[] = {
    {"read_into", read_into, METH_O,
     "Copies the dense values (packed, little endian) into a writable buffer of their size."},
    {"strings", strings, METH_NOARGS, "The texts, as a list of bytes in C order."},
    {"proto", proto, METH_NOARGS, "An encoded TensorProto, or SparseTensorProto of sparse ones."},
    {nullptr, nullptr, 0, nullptr}};

PyType_Slot slots[] = {{Py_tp_doc, const_cast<char*>("The values of a constant of a model.")},
                       {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                       {Py_tp_getset, properties},
                       {Py_tp_methods, methods},
                       {0, nullptr}};

PyType_Spec spec = {"polygraphy_native._native.Payload", sizeof(PayloadObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

}  // namespace

PyRef make_payload_class() {
  PyRef type = PyRef::take(PyType_FromSpec(&spec));
  payload_class = type.get();
  Py_INCREF(payload_class);
  return type;
}

PyRef payload_object(PayloadPtr payload, std::string_view name) {
  auto* type = reinterpret_cast<PyTypeObject*>(payload_class);
  PyRef object = PyRef::take(PyType_GenericAlloc(type, 0));
  new (&self_of(object.get()).values) PayloadPtr(std::move(payload));
  new (&self_of(object.get()).name) std::string(name);
  return object;
}

PayloadPtr payload_of(PyObject* object) {
  if (reinterpret_cast<PyObject*>(Py_TYPE(object)) != payload_class) return nullptr;
  return self_of(object).values;
}

}  // namespace native
