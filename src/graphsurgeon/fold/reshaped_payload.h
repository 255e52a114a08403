// The same values under another shape, without touching them.
#pragma once

#include <string_view>

#include "graphsurgeon/ir/payloads/payload.h"

namespace graphsurgeon {

// `shape` has as many elements. Bytes in the model's file or in another stay there and are shared
// (those in a typed field of TensorProto are decoded: O(bytes)). Null where it would take memory: a
// large sparse payload. Throws as Payload::load().
PayloadPtr reshaped_payload(const PayloadPtr& values, const Shape& shape, std::string_view tensor);

}  // namespace graphsurgeon
