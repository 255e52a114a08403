// A back end whose library is never there.
#include "polygraphy/backend.h"

extern "C" const pgb_backend_options backend_options_metaprobe;

namespace {

// Nothing behind open() is reached.
const pgb_backend kBackend = {
    .struct_size = sizeof(pgb_backend),
    .abi_version = PGB_ABI_VERSION,
    .options = &backend_options_metaprobe,
    .open = [](const pgb_host* host, const char*, const char* const*, size_t,
               pgb_instance**) -> pgb_status {
      host->set_error(host->context, "there is no such library", "Look elsewhere.");
      return PGB_UNAVAILABLE;
    },
    .close = [](pgb_instance*) {},
    .info = [](pgb_instance*, pgb_instance_info*) { return PGB_FAILED; },
    .capabilities = [](pgb_instance*, const pgb_session_options*) -> uint32_t { return 0; },
    .load = [](pgb_instance*, const pgb_model*, const pgb_session_options*,
               pgb_session**) { return PGB_FAILED; },
    .unload = [](pgb_session*) {},
    .inputs = [](pgb_session*, size_t, const pgb_tensor_info**) -> size_t { return 0; },
    .outputs = [](pgb_session*, size_t, const pgb_tensor_info**) -> size_t { return 0; },
    .infer = [](pgb_session*, const pgb_named_value*, size_t, pgb_output_fn,
                void*) { return PGB_FAILED; },
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const pgb_backend* polygraphy_backend(
    uint32_t host_abi_version) {
  return host_abi_version == PGB_ABI_VERSION ? &kBackend : nullptr;
}
