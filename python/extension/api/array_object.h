// Arrays between the library and Python, without a copy where that can be.
#pragma once

#include "base/arrays/array.h"
#include "polygraphy/data/tensors/value.h"
#include "python_api.h"

namespace native {

// Makes the class of what holds the bytes of an array for NumPy. Called once, when the module is
// made.
PyRef make_array_bytes_class();

// (values, name of the element type, shape). Values: an object with a read-only buffer of the
// elements in C order, which keeps the array; one byte for each element of types with fewer than 8
// bits; of texts a list of bytes. Copies arrays that are not aligned, or not in C order.
PyRef to_python(const polygraphy::Array& array);

// The array of such a tuple with the number of the element type in the place of its name. It views
// the buffer and keeps it. Throws PythonError.
polygraphy::Array array_of(PyObject* tuple);
// The same, or of a list: a sequence of values; None: an absent one.
polygraphy::Value value_of(PyObject* object);
// Of a dict of names and these.
polygraphy::ValueMap values_of_dict(PyObject* dict);

}  // namespace native
