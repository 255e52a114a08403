// A model as JSON (pgb_inspect.network).
#pragma once

#include <string>

#include "tensorflow/model.h"

namespace tensorflow {

// Throws Failure.
std::string describe(const Library& library, const Model& model, const std::string& name);

}  // namespace tensorflow
