// The layers that stay in floating point, for tools that quantise models.
#pragma once

#include <string>

#include "polygraphy/diagnosis/sensitivity/sensitivity.h"

namespace polygraphy {

// {"modelopt": {"nodes_to_exclude": [...]}, "onnxruntime": {...}, "olive": {...}}: arguments of
// ModelOpt's quantize(), of ONNX Runtime's quantize_static() and of Olive's passes. With a newline
// at the end.
std::string exclusion_lists(const SensitivityResult& result);

}  // namespace polygraphy
