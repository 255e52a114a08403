// Names and IR stamp of whatever bytes come: no crash, and the stamp lies inside.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "polygraphy/backend/ir_version.h"
#include "polygraphy/backend/model_names.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  polygraphy::read_model_names(bytes);
  if (const auto stamp = polygraphy::find_ir_stamp(bytes)) {
    if (stamp->value_offset + stamp->value_size > size || stamp->value_size == 0) std::abort();
  }
  return 0;
}
