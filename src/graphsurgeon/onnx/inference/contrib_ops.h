// Facts about ONNX Runtime's contrib operators (domain com.microsoft), which the standard does not
// describe. Only for the sources of this library.
#pragma once

#include <onnx/defs/schema.h>

#include <string_view>

namespace graphsurgeon {

// Type and shape of the outputs, or of the first one alone; empty for operators that are not known.
onnx::InferenceFunction contrib_inference(std::string_view op, std::string_view domain);

}  // namespace graphsurgeon
