// ONNX Runtime as a back end: the exported table.
#include <memory>
#include <optional>
#include <string>

#include "common/plugin.h"
#include "common/session_calls.h"
#include "onnxrt/host_memory.h"
#include "onnxrt/library.h"
#include "onnxrt/session.h"

extern "C" const pgb_backend_options backend_options_onnxrt;  // onnxrt_options.cpp

struct pgb_instance {
  pgb_instance(const pgb_host& raw, onnxrt::Library& opened)
      : host(raw), library(opened), sink(pgb::Host(host)) {
    library.attach(&sink);
    if (host.allocate) memory.emplace(library, pgb::Host(host));
  }
  ~pgb_instance() { library.detach(&sink); }

  pgb_host host;
  onnxrt::Library& library;
  onnxrt::LogSink sink;
  std::optional<onnxrt::HostMemory> memory;
  std::string devices;
};

struct pgb_session {
  template <typename... Args>
  explicit pgb_session(Args&&... args) : session(std::forward<Args>(args)...) {}
  onnxrt::Session session;
};

namespace {

pgb_status open(const pgb_host* host, const char* library, const char* const* search,
                size_t search_count, pgb_instance** out) {
  return pgb::guarded(*host, [&] {
    *out = new pgb_instance(*host, onnxrt::Library::open(library, search, search_count));
  });
}

void close(pgb_instance* instance) {
  delete instance;
}

pgb_status info(pgb_instance* instance, pgb_instance_info* out) {
  return pgb::guarded(instance->host, [&] {
    onnxrt::Library& library = instance->library;
    if (instance->devices.empty()) {
      char** names = nullptr;
      int count = 0;
      library.check(library.api().GetAvailableProviders(&names, &count));
      for (int i = 0; i < count; ++i) instance->devices += (i ? ", " : "") + std::string(names[i]);
      library.check(library.api().ReleaseAvailableProviders(names, count));
    }
    out->library_version = library.version().c_str();
    out->library_path = library.path().c_str();
    out->devices = instance->devices.c_str();
    out->max_ir_version = library.max_ir_version();
    out->max_opset = library.max_opset();
  });
}

// The folder is session.model_external_initializers_file_folder_path, which came with 1.21. Other
// execution providers than the library's own may want the weights inside of the model.
uint32_t capabilities(pgb_instance* instance, const pgb_session_options* options) {
  if (instance->library.api_version() < 21) return 0;
  const bool own = !pgb::Options(*options).has("providers");
  return PGB_EXTERNAL_FOLDER | (own ? PGB_MAPS_WEIGHTS : 0u);
}

pgb_status load(pgb_instance* instance, const pgb_model* model, const pgb_session_options* options,
                pgb_session** out) {
  return pgb::guarded(instance->host, [&] {
    const pgb::Host host(instance->host);
    host.throw_if_cancelled();
    *out = new pgb_session(instance->library, host, *model, pgb::Options(*options));
  });
}

const pgb_backend kBackend = {
    .struct_size = sizeof(pgb_backend),
    .abi_version = PGB_ABI_VERSION,
    .options = &backend_options_onnxrt,
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
    .extension = nullptr,
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const pgb_backend* polygraphy_backend(
    uint32_t host_abi_version) {
  return host_abi_version == PGB_ABI_VERSION ? &kBackend : nullptr;
}
