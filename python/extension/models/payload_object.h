// `_native.Payload`: the values of a constant as the graph library holds them, for Python.
#pragma once

#include <string_view>

#include "graphsurgeon/ir/payloads/payload.h"
#include "python_api.h"

namespace native {

// Makes the class. Called once, when the module is made.
PyRef make_payload_class();

// A new Payload. `name`: of the tensor, for messages and for the TensorProto.
PyRef payload_object(graphsurgeon::PayloadPtr payload, std::string_view name);

// The payload of such an object; null for any other object.
graphsurgeon::PayloadPtr payload_of(PyObject* object);

}  // namespace native
