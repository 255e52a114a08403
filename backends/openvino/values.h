// pgb_value <-> ov_tensor_t.
#pragma once

#include <vector>

#include "openvino/library.h"

namespace openvino {

using OwnedTensor = Owned<ov_tensor_t>;

// Host memory is not copied: `value` must outlive the result. Throws Failure(PGB_UNSUPPORTED) for
// types that OpenVINO does not have, and for sequences, maps and optionals.
OwnedTensor to_openvino(const Library& library, const pgb_value& value);

// A view of a tensor's bytes, valid as long as the tensor; `shape` holds the dimensions.
pgb_value view(const Library& library, const ov_tensor_t* tensor, std::vector<int64_t>& shape);

}  // namespace openvino
