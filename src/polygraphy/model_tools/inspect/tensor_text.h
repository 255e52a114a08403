// How a tensor of a graph appears in `inspect model`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/indented_text.h"
#include "graphsurgeon/ir/tensor.h"

namespace polygraphy {

// "float32"; the number when this version does not know the type.
void put_dtype(IndentedText& out, DataType dtype);
// "[1, 2]"
void put_shape_list(IndentedText& out, std::span<const int64_t> shape);

// `x [dtype=float32, shape=(1, 'N', -1)]`. Unknown parts are left out, and the brackets if both are
// unknown; the original prints an unknown rank as shape=() and an unknown type as dtype=0.
// Sequences, optionals and the like: `x [dtype=seq(tensor(float32))]`. White space around the whole
// is removed.
void put_tensor(IndentedText& out, const graphsurgeon::Tensor& tensor,
                std::string_view prefix = {});

// A TypeProto as text: `optional(seq(tensor(float32, shape=(2, 3))))`, `map(int64,
// tensor(string))`. Throws FormatError when the bytes are not one.
std::string type_text(std::string_view encoded_type_proto);

// "Variable (y): (shape=[1, 'N', None], dtype=float32)", "Variable (y): (shape=None, dtype=None)"
std::string variable_text(const graphsurgeon::Tensor& tensor);

}  // namespace polygraphy
