// The .pb files of onnx test data (test_data_set_0/input_0.pb): one TensorProto, SequenceProto or
// OptionalProto each. Source: onnx.proto, onnx-data.proto.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "polygraphy/data/tensors/tensor_file.h"

namespace polygraphy {

// A tensor, under its own name, else the file's. The items of a sequence of tensors have the
// names of flat_names.h: s[0], s[1] …, whether or not an optional holds it; a sequence or optional
// of one is that tensor itself, and an empty one nothing. Throws FormatError: damage, values in
// another file, sequences of anything else.
TensorFile read_tensor_pb(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                          const std::string& path);

}  // namespace polygraphy
