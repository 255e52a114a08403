// OpenVINO as a back end: the exported table.
#include <memory>
#include <string>
#include <string_view>

#include "common/plugin.h"
#include "common/session_calls.h"
#include "openvino/library.h"
#include "openvino/session.h"

extern "C" const pgb_backend_options backend_options_openvino;  // openvino_options.cpp

struct pgb_instance {
  pgb_instance(const pgb_host& raw, const openvino::Library& opened)
      : host(raw), library(opened), core(nullptr, library.api().core_free) {
    ov_core_t* made = nullptr;
    library.check(library.api().core_create(&made), "OpenVINO cannot start");
    core.reset(made);
  }

  pgb_host host;
  const openvino::Library& library;
  openvino::Owned<ov_core_t> core;
  std::string devices;
};

struct pgb_session {
  template <typename... Args>
  explicit pgb_session(Args&&... args) : session(std::forward<Args>(args)...) {}
  openvino::Session session;
};

namespace {

pgb_status open(const pgb_host* host, const char* library, const char* const* search,
                size_t search_count, pgb_instance** out) {
  return pgb::guarded(*host, [&] {
    *out = new pgb_instance(*host, openvino::Library::open(library, search, search_count));
  });
}

void close(pgb_instance* instance) {
  delete instance;
}

pgb_status info(pgb_instance* instance, pgb_instance_info* out) {
  return pgb::guarded(instance->host, [&] {
    const openvino::Library& library = instance->library;
    if (instance->devices.empty()) {
      ov_available_devices_t devices{};
      library.check(library.api().core_get_available_devices(instance->core.get(), &devices));
      for (size_t i = 0; i < devices.size; ++i) {
        instance->devices += (i ? ", " : "") + std::string(devices.devices[i]);
      }
      library.api().available_devices_free(&devices);
    }
    out->library_version = library.version().c_str();
    out->library_path = library.path().c_str();
    out->devices = instance->devices.c_str();
    out->max_ir_version = 0;  // its reader looks neither at the IR version
    out->max_opset = 0;       // nor at the opset as such
  });
}

uint32_t capabilities(pgb_instance*, const pgb_session_options*) {
  return PGB_WANTS_NAMES;
}

pgb_status load(pgb_instance* instance, const pgb_model* model, const pgb_session_options* options,
                pgb_session** out) {
  return pgb::guarded(instance->host, [&] {
    const pgb::Host host(instance->host);
    host.throw_if_cancelled();
    *out = new pgb_session(instance->library, instance->core.get(), host, *model,
                           pgb::Options(*options));
  });
}

const char* precision(pgb_session* session) {
  return session->session.precision();
}

const pgb_precision kPrecision = {.struct_size = sizeof(pgb_precision), .precision = precision};

const void* extension(const char* name) {
  return std::string_view(name) == PGB_PRECISION ? &kPrecision : nullptr;
}

const pgb_backend kBackend = {
    .struct_size = sizeof(pgb_backend),
    .abi_version = PGB_ABI_VERSION,
    .options = &backend_options_openvino,
    .open = open,
    .close = close,
    .info = info,
    .capabilities = capabilities,
    .load = load,
    .unload = pgb::unload,
    .inputs = pgb::inputs,
    .outputs = pgb::outputs,
    .infer = pgb::infer,
    .profile = pgb::profile,
    .extension = extension,
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const pgb_backend* polygraphy_backend(
    uint32_t host_abi_version) {
  return host_abi_version == PGB_ABI_VERSION ? &kBackend : nullptr;
}
