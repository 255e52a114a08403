/* The smallest back end: it can say its name. */
#include <polygraphy/backend.h>

static const pgb_backend backend = {
    .struct_size = sizeof(pgb_backend), .abi_version = PGB_ABI_VERSION, .name = "mine"};

__attribute__((visibility("default"))) const pgb_backend* polygraphy_backend(uint32_t host_abi);

const pgb_backend* polygraphy_backend(uint32_t host_abi) {
  return host_abi == PGB_ABI_VERSION ? &backend : 0;
}
