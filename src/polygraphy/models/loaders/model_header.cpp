#include "polygraphy/models/loaders/model_header.h"

#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace polygraphy {
namespace {

namespace wire = graphsurgeon::wire;

// The varint that the reader stands on. The keys of all fields looked for are one byte long.
HeaderNumber number(const wire::Reader& reader, std::string_view model) {
  const std::string_view raw = reader.raw();
  return {reader.as_int64(), static_cast<size_t>(raw.data() - model.data()) + 1, raw.size() - 1};
}

struct Import {
  std::string_view domain;
  std::optional<HeaderNumber> version;
};

Import read_import(std::string_view encoded, std::string_view model) {
  Import import;
  wire::Reader reader(encoded);
  while (reader.next()) {
    if (reader.key() == wire::bytes_key(wire::opset::kDomain)) import.domain = reader.bytes();
    if (reader.key() == wire::varint_key(wire::opset::kVersion)) {
      import.version = number(reader, model);
    }
  }
  return import;
}

}  // namespace

ModelHeader find_header(std::string_view model) {
  ModelHeader header;
  size_t default_imports = 0;
  try {
    wire::Reader reader(model);
    while (reader.next()) {
      // Of a number that comes twice the last one counts.
      if (reader.key() == wire::varint_key(wire::model::kIrVersion)) {
        header.ir_version = number(reader, model);
      } else if (reader.key() == wire::bytes_key(wire::model::kOpsetImport)) {
        const Import import = read_import(reader.bytes(), model);
        if (!graphsurgeon::is_default_domain(import.domain)) continue;
        header.opset = import.version;
        ++default_imports;
      }
    }
  } catch (const wire::ParseError&) {
    return {};
  }
  if (default_imports > 1) header.opset.reset();
  return header;
}

}  // namespace polygraphy
