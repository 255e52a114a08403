// TensorFlow as a back end: the exported table.
#include <string>
#include <string_view>

#include "common/export.h"
#include "tensorflow/describe.h"
#include "tensorflow/library.h"
#include "tensorflow/session.h"

extern "C" const pgb_backend_options backend_options_tensorflow;  // tensorflow_options.cpp

struct pgb_session {
  tensorflow::Session session;
};

struct pgb_instance {
  pgb_instance(const pgb_host& raw, const char* path, const char* const* search, size_t count)
      : host(raw), library(tensorflow::Library::open(pgb::Host(host), path, search, count)) {}

  void info(pgb_instance_info& out) const {
    out.library_version = library.version().c_str();
    out.library_path = library.path().c_str();
    out.devices = "";
    out.max_ir_version = 0;  // it reads no ONNX
    out.max_opset = 0;
  }

  uint32_t capabilities(const pgb::Options&) const { return 0; }

  pgb_session* load(const pgb::Host& services, const pgb_model& model,
                    const pgb::Options& options) const {
    return new pgb_session{tensorflow::Session(library, services, model, options)};
  }

  pgb_host host;
  const tensorflow::Library& library;
};

namespace {

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

const void* extension_of(const char* name) {
  return std::string_view(name) == PGB_INSPECT ? &kInspect : nullptr;
}

}  // namespace

PGB_EXPORT(backend_options_tensorflow, extension_of)
