// The onnx library's schema of an operator, made on first use: making all of them, as the library's
// own registry does, takes longer than most commands.
#pragma once

#include <string_view>

namespace onnx {
class OpSchema;
}

namespace graphsurgeon {

// The newest form of `op` that is not newer than `version` of `domain` ("" is the default one);
// null: unknown. Lives as long as the process. Thread-safe.
const onnx::OpSchema* schema_of(std::string_view op, int version, std::string_view domain);

}  // namespace graphsurgeon
