// Tables that the Python packages read: the options of back ends, the element types.
#include <array>

#include "base/arrays/dtype.h"
#include "base/text.h"
#include "calls/api_functions.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace native {
namespace {

constexpr std::array kTypes = {"text",         "integer",      "number", "path", "folder",
                               "written_file", "updated_file", "shape",  "size", "written_folder"};
static_assert(kTypes.size() == PGB_WRITTEN_FOLDER + 1);

class Row {
 public:
  void add(const char* name, PyObject* value) {
    check(PyDict_SetItemString(dict_.get(), name, value));
  }
  void add(const char* name, const char* text) {
    add(name, text ? to_python(text).get() : Py_None);
  }
  void add(const char* name, bool value) { add(name, value ? Py_True : Py_False); }
  void add_number(const char* name, int64_t number) { add(name, to_python(number).get()); }
  void add_words(const char* name, const char* text) {
    if (!text) return add(name, Py_None);
    const PyRef list = PyRef::take(PyList_New(0));
    for (const std::string_view word : polygraphy::split(text, ' '))
      check(PyList_Append(list.get(), to_python(word).get()));
    add(name, list.get());
  }
  PyObject* get() const { return dict_.get(); }

 private:
  PyRef dict_ = PyRef::take(PyDict_New());
};

Row row_of(const pgb_option_spec& option) {
  Row row;
  row.add_words("spellings", option.spellings);
  row.add("key", option.key);
  row.add("nargs", option.nargs);
  row.add("metavar", option.metavar);
  row.add_words("choices", option.choices);
  row.add("help", option.help);
  row.add("heading", option.heading);
  row.add("instead", option.instead);
  row.add("type", kTypes.at(static_cast<size_t>(option.type)));
  row.add("repeats", option.repeats != 0);
  row.add_number("exclusive", option.exclusive);
  row.add("required", option.required != 0);
  row.add("ours", option.ours != 0);
  row.add("loader", option.loader);
  row.add("argument", option.argument);
  row.add("enumeration", option.enumeration);
  row.add("enumerator", option.enumerator);
  row.add_number("stages", option.stages);
  return row;
}

// Number, name, ONNX's name, NumPy's name, kind, bits.
PyRef element_type(polygraphy::DataType type) {
  return PyRef::take(Py_BuildValue(
      "(issssi)", static_cast<int>(type), std::string(name_of(type)).c_str(),
      std::string(onnx_name_of(type)).c_str(), std::string(numpy_name_of(type)).c_str(),
      std::string(name_of(kind_of(type))).c_str(), bit_width(type)));
}

}  // namespace

PyObject* data_types(PyObject*, PyObject*) {
  return guarded([&] {
    const PyRef list = PyRef::take(PyList_New(0));
    for (const polygraphy::DataType type : polygraphy::all_data_types())
      check(PyList_Append(list.get(), element_type(type).get()));
    return list;
  });
}

PyObject* option_table(PyObject*, PyObject* backend) {
  return guarded([&] {
    const PyRef list = PyRef::take(PyList_New(0));
    for (const pgb_option_spec& option : polygraphy::options_of(text_of(backend)))
      check(PyList_Append(list.get(), row_of(option).get()));
    return list;
  });
}

}  // namespace native
