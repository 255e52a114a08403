// A back end whose library is never there.
#include "polygraphy/backend.h"

namespace {

pgb_status open_library(const pgb_host* host, const char*, const char* const*, size_t,
                        pgb_instance**) {
  host->set_error(host->context, "there is no such library", "Look elsewhere.");
  return PGB_UNAVAILABLE;
}

pgb_backend table() {
  pgb_backend backend{};
  backend.struct_size = sizeof(pgb_backend);
  backend.abi_version = PGB_ABI_VERSION;
  backend.name = "metaprobe";
  backend.open = open_library;
  return backend;
}

}  // namespace

extern "C" const pgb_backend* polygraphy_backend(uint32_t host_abi_version) {
  static const pgb_backend backend = table();
  return host_abi_version == PGB_ABI_VERSION ? &backend : nullptr;
}
