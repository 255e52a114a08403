// Tensors that torch.save() wrote into files of inputs and outputs, which only PyTorch reads.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/arrays/array.h"

namespace polygraphy {

// Reads such a tensor from base64; `what` names it in errors. Empty: such tensors are an Error.
using TorchReader = std::function<Array(std::string_view base64, const std::string& what)>;

}  // namespace polygraphy
