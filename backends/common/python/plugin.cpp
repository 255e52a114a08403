// A back end in Python: the exported table.
#include <memory>
#include <string>

#include "common/plugin.h"
#include "common/python/back_end.h"
#include "common/python/session.h"
#include "common/session_calls.h"

using pgb::python::MessageReader;
using pgb::python::MessageWriter;
using pgb::python::Process;

struct pgb_instance {
  pgb_instance(const pgb_host& raw, const std::string& interpreter_)
      : host(raw), interpreter(interpreter_) {
    process();
  }

  // The one that runs, or one more: it may have been stopped by Ctrl-C, or a model crashed it.
  const std::shared_ptr<Process>& process() {
    if (running && !running->is_over()) return running;
    running = {Process::take(interpreter, pgb::python::kProgram).release(),
               [](Process* process) { Process::give_back(std::unique_ptr<Process>(process)); }};
    MessageReader found = running->exchange(MessageWriter("find"), pgb::Host(host)).fields;
    version = found.text();
    const std::string program = found.text();
    capabilities = PGB_EXTERNAL_FOLDER | (found.number() != 0 ? PGB_WANTS_TYPES : 0);
    path = interpreter.find('/') == std::string::npos ? program : interpreter;
    return running;
  }

  pgb_host host;
  std::string interpreter, version, path, devices;
  uint32_t capabilities = 0;
  std::shared_ptr<Process> running;
};

struct pgb_session {
  template <typename... Args>
  explicit pgb_session(Args&&... args) : session(std::forward<Args>(args)...) {}
  pgb::python::Session session;
};

namespace {

pgb_status open(const pgb_host* host, const char* library, const char* const* search,
                size_t search_count, pgb_instance** out) {
  return pgb::guarded(*host, [&] {
    if (!library && search_count > 0) library = search[0];
    *out = new pgb_instance(*host, library ? library : "python3");
  });
}

void close(pgb_instance* instance) {
  delete instance;
}

pgb_status info(pgb_instance* instance, pgb_instance_info* out) {
  return pgb::guarded(instance->host, [&] {
    MessageReader told =
        instance->process()->exchange(MessageWriter("info"), pgb::Host(instance->host)).fields;
    instance->devices = told.text();
    out->library_version = instance->version.c_str();
    out->library_path = instance->path.c_str();
    out->devices = instance->devices.c_str();
    out->max_ir_version = static_cast<int32_t>(told.number());
    out->max_opset = static_cast<int32_t>(told.number());
  });
}

uint32_t capabilities(pgb_instance* instance, const pgb_session_options*) {
  return instance->capabilities;
}

pgb_status load(pgb_instance* instance, const pgb_model* model, const pgb_session_options* options,
                pgb_session** out) {
  return pgb::guarded(instance->host, [&] {
    const pgb::Host host(instance->host);
    host.throw_if_cancelled();
    *out = new pgb_session(instance->process(), host, *model, *options);
  });
}

const pgb_backend kBackend = {
    .struct_size = sizeof(pgb_backend),
    .abi_version = PGB_ABI_VERSION,
    .options = &pgb::python::kOptions,
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
