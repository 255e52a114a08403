// TensorFlow as a back end: the exported table.
#include <memory>
#include <string>
#include <string_view>

#include "common/plugin.h"
#include "common/session_calls.h"
#include "tensorflow/describe.h"
#include "tensorflow/library.h"
#include "tensorflow/session.h"

extern "C" const pgb_backend_options backend_options_tensorflow;  // tensorflow_options.cpp

struct pgb_instance {
  pgb_host host;
  const tensorflow::Library& library;
};

struct pgb_session {
  template <typename... Args>
  explicit pgb_session(Args&&... args) : session(std::forward<Args>(args)...) {}
  tensorflow::Session session;
};

namespace {

pgb_status open(const pgb_host* host, const char* library, const char* const* search,
                size_t search_count, pgb_instance** out) {
  return pgb::guarded(*host, [&] {
    *out = new pgb_instance{
        *host, tensorflow::Library::open(pgb::Host(*host), library, search, search_count)};
  });
}

void close(pgb_instance* instance) {
  delete instance;
}

pgb_status info(pgb_instance* instance, pgb_instance_info* out) {
  return pgb::guarded(instance->host, [&] {
    out->library_version = instance->library.version().c_str();
    out->library_path = instance->library.path().c_str();
    out->devices = "";
    out->max_ir_version = 0;  // it reads no ONNX
    out->max_opset = 0;
  });
}

uint32_t capabilities(pgb_instance*, const pgb_session_options*) {
  return 0;
}

pgb_status load(pgb_instance* instance, const pgb_model* model, const pgb_session_options* options,
                pgb_session** out) {
  return pgb::guarded(instance->host, [&] {
    const pgb::Host host(instance->host);
    host.throw_if_cancelled();
    *out = new pgb_session(instance->library, host, *model, pgb::Options(*options));
  });
}

pgb_status network(pgb_instance* instance, const pgb_model* model,
                   const pgb_session_options* options, pgb_bytes_fn deliver, void* context) {
  return pgb::guarded(instance->host, [&] {
    const pgb::Host host(instance->host);
    const tensorflow::Model loaded(instance->library, host, *model, pgb::Options(*options));
    const std::string json =
        tensorflow::describe(instance->library, loaded, model->path ? model->path : "");
    deliver(context, json.data(), json.size());
  });
}

pgb_status capability(pgb_instance* instance, const pgb_model*, const pgb_session_options*,
                      pgb_bytes_fn, void*) {
  return pgb::guarded(instance->host, [] {
    throw pgb::Failure("TensorFlow does not report which operators and types it supports", {},
                       PGB_UNSUPPORTED);
  });
}

const pgb_inspect kInspect = {
    .struct_size = sizeof(pgb_inspect),
    .network = network,
    .capability = capability,
    .engine = nullptr,
    .network_with_weights = nullptr,
};

const void* extension(const char* name) {
  return std::string_view(name) == PGB_INSPECT ? &kInspect : nullptr;
}

const pgb_backend kBackend = {
    .struct_size = sizeof(pgb_backend),
    .abi_version = PGB_ABI_VERSION,
    .options = &backend_options_tensorflow,
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
