// The table that every plugin exports. The plugin defines two types in front of PGB_EXPORT:
//   struct pgb_instance {
//     // Opens the vendor library; arguments as of pgb_backend.open().
//     pgb_instance(const pgb_host&, const char* library, const char* const* search, size_t count);
//     void info(pgb_instance_info& out);
//     uint32_t capabilities(const pgb::Options&);  // noexcept
//     pgb_session* load(const pgb::Host&, const pgb_model&, const pgb::Options&);
//     pgb_host host;
//   };
//   struct pgb_session: `session` has host(), inputs(), outputs(), infer() and profile().
// They may throw; the table's functions turn exceptions into statuses.
#pragma once

#include <cstddef>

#include "common/plugin.h"

namespace pgb::exported {

template <typename Instance>
pgb_status open(const pgb_host* host, const char* library, const char* const* search,
                size_t search_count, Instance** out) {
  return guarded(*host, [&] { *out = new Instance(*host, library, search, search_count); });
}

template <typename Instance>
void close(Instance* instance) {
  delete instance;
}

template <typename Instance>
pgb_status info(Instance* instance, pgb_instance_info* out) {
  return guarded(instance->host, [&] { instance->info(*out); });
}

template <typename Instance>
uint32_t capabilities(Instance* instance, const pgb_session_options* options) {
  return instance->capabilities(Options(*options));
}

template <typename Instance, typename Session>
pgb_status load(Instance* instance, const pgb_model* model, const pgb_session_options* options,
                Session** out) {
  return guarded(instance->host, [&] {
    const Host host(instance->host);
    host.throw_if_cancelled();
    *out = instance->load(host, *model, Options(*options));
  });
}

template <typename Ports>
size_t entry(const Ports& ports, size_t index, const pgb_tensor_info** out) {
  if (index < ports.size()) *out = &ports[index].info;
  return ports.size();
}

template <typename Session>
void unload(Session* session) {
  delete session;
}

template <typename Session>
size_t inputs(Session* session, size_t index, const pgb_tensor_info** out) {
  return entry(session->session.inputs(), index, out);
}

template <typename Session>
size_t outputs(Session* session, size_t index, const pgb_tensor_info** out) {
  return entry(session->session.outputs(), index, out);
}

template <typename Session>
pgb_status infer(Session* session, const pgb_named_value* feeds, size_t count,
                 pgb_output_fn deliver, void* context) {
  return guarded(session->session.host().raw(),
                 [&] { session->session.infer(feeds, count, deliver, context); });
}

template <typename Session>
pgb_status profile(Session* session, pgb_node_time_fn row, void* context) {
  return guarded(session->session.host().raw(), [&] { session->session.profile(row, context); });
}

}  // namespace pgb::exported

// `table_of_options`: a pgb_backend_options; `extension_function`: pgb_backend.extension, may be
// null.
#define PGB_EXPORT(table_of_options, extension_function)                                   \
  extern "C" __attribute__((visibility("default"))) const pgb_backend* polygraphy_backend( \
      uint32_t host_abi_version) {                                                         \
    static const pgb_backend backend = {.struct_size = sizeof(pgb_backend),                \
                                        .abi_version = PGB_ABI_VERSION,                    \
                                        .options = &(table_of_options),                    \
                                        .open = pgb::exported::open,                       \
                                        .close = pgb::exported::close,                     \
                                        .info = pgb::exported::info,                       \
                                        .capabilities = pgb::exported::capabilities,       \
                                        .load = pgb::exported::load,                       \
                                        .unload = pgb::exported::unload,                   \
                                        .inputs = pgb::exported::inputs,                   \
                                        .outputs = pgb::exported::outputs,                 \
                                        .infer = pgb::exported::infer,                     \
                                        .profile = pgb::exported::profile,                 \
                                        .extension = extension_function};                  \
    return host_abi_version == PGB_ABI_VERSION ? &backend : nullptr;                       \
  }
