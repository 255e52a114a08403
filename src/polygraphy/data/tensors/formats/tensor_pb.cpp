// The .pb files of onnx test data: one tensor, sequence or optional each. Their bytes cannot be
// distinguished from other protobuf messages.
#include "polygraphy/data/tensors/tensor_pb.h"

#include "polygraphy/data/tensors/tensor_format.h"

namespace polygraphy {

extern constinit const TensorFormat tensor_format_tensor_pb = {
    .name = ".pb of onnx test data",
    .extensions = ".pb",
    .order = 4,
    .content = TensorFormat::Content::kPart,
    .read = read_tensor_pb,
};

}  // namespace polygraphy
