// Values of YAML documents as Python's.
#pragma once

#include "formats/yaml.h"
#include "python_api.h"

namespace native {

PyRef to_python(const polygraphy::YamlValue& value);
// Of None, a bool, int, float, str, list, tuple or dict of texts and such values. Throws
// PythonError: TypeError for another type.
polygraphy::YamlValue yaml_of(PyObject* object);

}  // namespace native
