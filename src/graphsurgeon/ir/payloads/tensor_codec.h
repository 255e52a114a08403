// Decodes TensorProto and SparseTensorProto: header at once, values on first use.
#pragma once

#include <memory>
#include <string_view>

#include "graphsurgeon/ir/object.h"
#include "graphsurgeon/ir/payloads/payload.h"

namespace graphsurgeon {

struct DecodedTensor {
  std::string_view name;  // null: the field is missing
  PayloadPtr values;
  // doc_string, metadata_props, unknown fields and fields that say their default, encoded.
  std::string_view unknown;
};

// `message` is part of the source; views in the result live as long as that. Throws
// wire::ParseError.
DecodedTensor decode_tensor(std::string_view message, const std::shared_ptr<const Source>& source);
// The name is the values' name.
DecodedTensor decode_sparse_tensor(std::string_view message,
                                   const std::shared_ptr<const Source>& source);

// True if data_location places the values in another file. Reads headers only.
bool is_external(std::string_view message);
bool is_external_sparse(std::string_view message);

}  // namespace graphsurgeon
