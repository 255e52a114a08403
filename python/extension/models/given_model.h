// Encoded models that Python gives.
#pragma once

#include <string>

#include "graphsurgeon/ir/graph.h"
#include "python_api.h"

namespace native {

// The model in a bytes-like object, whose payloads are views of the bytes and keep them; bytes that
// may still change are copied. Throws Error for bytes that are not a model. Without the
// interpreter's lock.
graphsurgeon::Model given_model(PyObject* data, const std::string& folder = {});

// Values of other files (kExternal), or those that are computed while they are read (kComputed),
// become values of the model. O(their bytes). Throws what loading them throws.
void bring_in(graphsurgeon::Model& model, graphsurgeon::Payload::Kind kind);

// The encoded model, as bytes. Throws Error at 2 GiB. Without the interpreter's lock.
PyRef encoded_model(const graphsurgeon::Model& model);

}  // namespace native
