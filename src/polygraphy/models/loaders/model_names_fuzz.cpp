// Names and versions of whatever bytes come: no crash, and the places lie inside.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "polygraphy/models/loaders/model_header.h"
#include "polygraphy/models/loaders/model_names.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  polygraphy::read_model_names(bytes);
  const polygraphy::ModelHeader header = polygraphy::find_header(bytes);
  for (const auto& number : {header.ir_version, header.opset}) {
    if (number && (number->offset + number->size > size || number->size == 0)) std::abort();
  }
  return 0;
}
