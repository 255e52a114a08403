#include "api/tensor_values.h"

#include "base/arrays/dtype.h"

namespace native {
namespace {

PyRef dim_or_none(const graphsurgeon::Dim& dim) {
  if (dim.has_value()) return to_python(dim.value());
  return dim.param().empty() ? none() : to_python(dim.param());
}

}  // namespace

PyRef dtype_or_none(polygraphy::DataType type) {
  const std::string_view name = polygraphy::name_of(type);
  return name.empty() ? none() : to_python(name);
}

PyRef dimensions(const graphsurgeon::DimList& dims) {
  return tuple_of(dims, dim_or_none);
}

PyRef described_tensor(const std::string& name, const polygraphy::TensorInfo& info) {
  return fields({{"name", name},
                 {"dtype", dtype_or_none(info.dtype)},
                 {"shape", info.shape ? dimensions(*info.shape) : none()},
                 {"format", info.docstring}});
}

}  // namespace native
