#include "graphsurgeon/io/read_position.h"

#include <fmt/format.h>

#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon {

std::string ReadPosition::text() const {
  uint32_t name_field = wire::value_info::kName;
  const char* what = "";
  switch (item) {
    case ReadItem::kNone:
      return {};
    case ReadItem::kNode:
      what = "node";
      name_field = wire::node::kName;
      break;
    case ReadItem::kInitializer:
      what = "initializer";
      name_field = wire::tensor::kName;
      break;
    case ReadItem::kSparseInitializer:
      what = "sparse initializer";
      name_field = 0;  // its name is that of its values
      break;
    case ReadItem::kInput:
      what = "input";
      break;
    case ReadItem::kOutput:
      what = "output";
      break;
    case ReadItem::kValueInfo:
      what = "value_info";
      break;
  }
  std::string_view name, op;
  try {
    for (wire::Reader reader(message); reader.next();) {
      if (reader.key() == wire::bytes_key(name_field)) name = reader.bytes();
      if (item == ReadItem::kNode && reader.key() == wire::bytes_key(wire::node::kOpType)) {
        op = reader.bytes();
      }
    }
  } catch (const wire::ParseError&) {
    // As far as it can be read.
  }
  const std::string at = fmt::format("{} {}", what, index);
  if (!name.empty() && !op.empty()) return fmt::format("{} ('{}', {})", at, name, op);
  if (!name.empty() || !op.empty()) return fmt::format("{} ('{}{}')", at, name, op);
  return at;
}

}  // namespace graphsurgeon
