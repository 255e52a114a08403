// OpenVINO as a back end: the exported table.
#include <string>
#include <string_view>

#include "common/export.h"
#include "openvino/library.h"
#include "openvino/session.h"

extern "C" const pgb_backend_options backend_options_openvino;  // openvino_options.cpp

struct pgb_session {
  openvino::Session session;
};

struct pgb_instance {
  pgb_instance(const pgb_host& raw, const char* path, const char* const* search, size_t count)
      : host(raw),
        library(openvino::Library::open(path, search, count)),
        core(nullptr, library.api().core_free) {
    ov_core_t* made = nullptr;
    library.check(library.api().core_create(&made), "OpenVINO cannot start");
    core.reset(made);
  }

  void info(pgb_instance_info& out) {
    if (devices.empty()) {
      ov_available_devices_t found{};
      library.check(library.api().core_get_available_devices(core.get(), &found));
      for (size_t i = 0; i < found.size; ++i)
        devices += (i ? ", " : "") + std::string(found.devices[i]);
      library.api().available_devices_free(&found);
    }
    out.library_version = library.version().c_str();
    out.library_path = library.path().c_str();
    out.devices = devices.c_str();
    out.max_ir_version = 0;  // its reader looks neither at the IR version
    out.max_opset = 0;       // nor at the opset as such
  }

  uint32_t capabilities(const pgb::Options&) const { return PGB_WANTS_NAMES; }

  pgb_session* load(const pgb::Host& services, const pgb_model& model,
                    const pgb::Options& options) {
    return new pgb_session{openvino::Session(library, core.get(), services, model, options)};
  }

  pgb_host host;
  const openvino::Library& library;
  openvino::Owned<ov_core_t> core;
  std::string devices;
};

namespace {

const char* precision(pgb_session* session) {
  return session->session.precision();
}

const pgb_precision kPrecision = {.struct_size = sizeof(pgb_precision), .precision = precision};

const void* extension_of(const char* name) {
  return std::string_view(name) == PGB_PRECISION ? &kPrecision : nullptr;
}

}  // namespace

PGB_EXPORT(backend_options_openvino, extension_of)
