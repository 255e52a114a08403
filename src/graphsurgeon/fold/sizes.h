// How large results are before they are computed.
#pragma once

#include <cstdint>
#include <string>

#include "graphsurgeon/ir/node.h"

namespace graphsurgeon {

// From type and shape; -1 when these do not tell (strings included).
int64_t tensor_bytes(const Tensor& tensor);
// Of all outputs; -1 when one of them is not known.
int64_t result_bytes(const Node& node);
// The operator's result may be of any size, however small its inputs are.
bool may_explode(const Node& node);
// "1.5 MiB"
std::string size_text(int64_t bytes);

}  // namespace graphsurgeon
