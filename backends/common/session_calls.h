// The session functions of every plugin's table. Include it behind the definition of pgb_session,
// whose member `session` has host(), inputs(), outputs(), infer() and profile().
#pragma once

#include <cstddef>

#include "common/plugin.h"

namespace pgb {

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

}  // namespace pgb
