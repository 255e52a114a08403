// Encoded models in parts: their structure, and the large values beside it.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays/buffer_array.h"
#include "base/os/mapped_file.h"
#include "graphsurgeon/wire/detached_values.h"
#include "python_api.h"

namespace native {
namespace {

using graphsurgeon::wire::AttachedValue;
using graphsurgeon::wire::DetachedValue;
using graphsurgeon::wire::ModelWithoutValues;

PyObject* split_model(PyObject*, PyObject* args) {
  return guarded([&] {
    const char* path = nullptr;
    unsigned long long least = 0;
    if (PyArg_ParseTuple(args, "sK", &path, &least) == 0) throw PythonError();
    ModelWithoutValues parts;
    {
      const WithoutGil released;
      const auto file = polygraphy::MappedFile::open(path);
      const auto bytes = file->bytes();
      parts = graphsurgeon::wire::detach_values(
          {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, least);
    }
    const PyRef values = PyRef::take(PyList_New(0));
    for (const DetachedValue& value : parts.values) {
      const PyRef item =
          PyRef::take(Py_BuildValue("(nKK)", static_cast<Py_ssize_t>(value.initializer),
                                    static_cast<unsigned long long>(value.offset),
                                    static_cast<unsigned long long>(value.length)));
      check(PyList_Append(values.get(), item.get()));
    }
    return PyRef::take(Py_BuildValue("(NO)", to_bytes(parts.model).release(), values.get()));
  });
}

PyObject* join_model(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject *data = nullptr, *given = nullptr;
    if (PyArg_ParseTuple(args, "OO", &data, &given) == 0) throw PythonError();
    std::vector<AttachedValue> values;
    for_each(given, [&](PyObject* item) {
      Py_ssize_t initializer = 0;
      unsigned long long length = 0;
      if (PyArg_ParseTuple(item, "nK", &initializer, &length) == 0) throw PythonError();
      values.push_back({static_cast<size_t>(initializer), length});
    });
    const std::shared_ptr<const Py_buffer> buffer = buffer_of(data);
    const PyRef pieces = PyRef::take(PyList_New(0));
    for (const std::string& piece : graphsurgeon::wire::pieces_around_values(
             {static_cast<const char*>(buffer->buf), static_cast<size_t>(buffer->len)}, values)) {
      check(PyList_Append(pieces.get(), to_bytes(piece).get()));
    }
    return pieces;
  });
}

}  // namespace

// split_model(path, least) and join_model(model, values).
PyMethodDef model_part_functions[] = {
    {"split_model", split_model, METH_VARARGS,
     "split_model(path, least): the encoded model in a file without initializers' raw_data of "
     "`least` bytes and more, and a list of these: number of the initializer, offset and length in "
     "the file."},
    {"join_model", join_model, METH_VARARGS,
     "join_model(model, values): an encoded model in pieces, between which raw_data of "
     "initializers "
     "belong, given by number and length."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace native
