// `_native.Difference`: the differences of two arrays.
#pragma once

#include "python_api.h"

namespace native {

PyRef make_difference_class();

}  // namespace native
