// Encoded models in parts: their structure, and the large values beside it.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays/buffer_array.h"
#include "base/os/mapped_file.h"
#include "graphsurgeon/wire/detached_values.h"
#include "python_functions.h"
#include "python_values.h"

namespace native {
namespace {

using graphsurgeon::wire::AttachedValue;
using graphsurgeon::wire::DetachedValue;
using graphsurgeon::wire::ModelWithoutValues;

PyRef split_model(PyObject*, const char* path, int64_t least) {
  const ModelWithoutValues parts = without_gil([&] {
    const auto file = polygraphy::MappedFile::open(path);
    const auto bytes = file->bytes();
    return graphsurgeon::wire::detach_values(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, static_cast<uint64_t>(least));
  });
  return tuple(to_bytes(parts.model), list_of(parts.values, [](const DetachedValue& value) {
                 return tuple(value.initializer, value.offset, value.length);
               }));
}

PyRef join_model(PyObject*, PyObject* data, PyObject* given) {
  std::vector<AttachedValue> values;
  for_each(given, [&](PyObject* item) {
    const auto [initializer, length] = items_of<int64_t, int64_t>(item);
    values.push_back({static_cast<size_t>(initializer), static_cast<uint64_t>(length)});
  });
  const std::shared_ptr<const Py_buffer> buffer = buffer_of(data);
  return list_of(
      graphsurgeon::wire::pieces_around_values(
          {static_cast<const char*>(buffer->buf), static_cast<size_t>(buffer->len)}, values),
      to_bytes);
}

}  // namespace

// split_model(path, least) and join_model(model, values).
PyMethodDef model_part_functions[] = {
    {"split_model", entry<split_model>, form<split_model>,
     "split_model(path, least): the encoded model in a file without initializers' raw_data of "
     "`least` bytes and more, and a list of these: number of the initializer, offset and length in "
     "the file."},
    {"join_model", entry<join_model>, form<join_model>,
     "join_model(model, values): an encoded model in pieces, between which raw_data of "
     "initializers belong, given by number and length."},
    {}};

}  // namespace native
