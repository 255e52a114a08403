#include "api/tensor_values.h"

#include "base/arrays/dtype.h"

namespace native {
namespace {

PyRef dim_or_none(const graphsurgeon::Dim& dim) {
  if (dim.has_value()) return to_python(dim.value());
  return dim.param().empty() ? none() : to_python(std::string_view(dim.param()));
}

}  // namespace

PyRef dtype_or_none(polygraphy::DataType type) {
  const std::string_view name = polygraphy::name_of(type);
  return name.empty() ? none() : to_python(name);
}

PyRef dimensions(const graphsurgeon::DimList& dims) {
  PyRef tuple = PyRef::take(PyTuple_New(static_cast<Py_ssize_t>(dims.size())));
  for (size_t i = 0; i < dims.size(); ++i)
    check(PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), dim_or_none(dims[i]).release()));
  return tuple;
}

PyRef described_tensor(const std::string& name, const polygraphy::TensorInfo& info) {
  return fields({{"name", text(name)},
                 {"dtype", dtype_or_none(info.dtype)},
                 {"shape", info.shape ? dimensions(*info.shape) : none()},
                 {"format", text(info.docstring)}});
}

PyRef fields(std::initializer_list<std::pair<const char*, PyRef>> members) {
  PyRef dict = PyRef::take(PyDict_New());
  for (const auto& [name, value] : members)
    check(PyDict_SetItemString(dict.get(), name, value.get()));
  return dict;
}

}  // namespace native
