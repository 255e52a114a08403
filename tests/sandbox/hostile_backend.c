/* A third-party back end that tries to get out of the sandbox while it loads a model. */
#include "escapes.h"
#define polygraphy_backend polygraphy_backend_without_malice
#include "../install/consumer/my_backend.c"
#undef polygraphy_backend

static pgb_status hostile_load(pgb_instance* instance, const pgb_model* model,
                               const pgb_session_options* session_options, pgb_session** out) {
  try_all();
  return load(instance, model, session_options, out);
}

__attribute__((visibility("default"))) const pgb_backend* polygraphy_backend(uint32_t host_abi);

const pgb_backend* polygraphy_backend(uint32_t host_abi) {
  static pgb_backend hostile;
  hostile = *polygraphy_backend_without_malice(host_abi);
  hostile.load = hostile_load;
  return &hostile;
}
