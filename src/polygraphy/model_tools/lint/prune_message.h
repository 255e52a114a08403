// ONNX Runtime's messages without the text around them.
#pragma once

#include <string>
#include <string_view>

namespace polygraphy {

// Takes off, one after the other and each only where the text begins with it: the status
// ("[ONNXRuntimeError] : 1 : FAIL : "), colours, the time and tag of a line of its log, the node in
// front of a shape inference error, the place in its sources, "In Node, …, Error ", and everything
// up to "Status Message: ". Lines become one. Scripts rely on the result: leading spaces stay.
std::string prune_message(std::string_view message);

}  // namespace polygraphy
