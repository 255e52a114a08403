// Decodes ValueInfoProto and TypeProto.
#pragma once

#include <memory>
#include <string_view>

#include "graphsurgeon/ir/tensor.h"

namespace graphsurgeon {

struct Source;

struct DecodedType {
  TypeKind kind = TypeKind::kNone;
  DataType dtype = DataType::kUndefined;  // of kTensor
  std::unique_ptr<DimList> shape;         // of kTensor; null: unknown rank
  // The message itself where kind, dtype and shape do not say all of it; else a null view.
  std::string_view encoded;
};

struct DecodedValueInfo {
  std::string_view name;  // null: the field is missing
  DecodedType type;
  std::string_view doc;      // null: the field is missing
  std::string_view unknown;  // encoded
};

// Views in the results live as long as `source`. Throw wire::ParseError.
DecodedType decode_type(std::string_view message);
DecodedValueInfo decode_value_info(std::string_view message, const Source& source);

}  // namespace graphsurgeon
