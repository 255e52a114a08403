/* The third-party back end with one mistake in load(), which the contract finds: CRASHES,
 * HANGS, PRINTS, ACCEPTS_EVERYTHING. */
#define polygraphy_backend polygraphy_backend_without_mistakes
#include "../../install/consumer/my_backend.c"
#undef polygraphy_backend

#include <unistd.h>

static pgb_status broken_load(pgb_instance* instance, const pgb_model* model,
                              const pgb_session_options* session_options, pgb_session** out) {
#ifdef CRASHES
  fputs("about to fall over\n", stderr);
  abort();
#endif
#ifdef HANGS
  pause();
#endif
#ifdef PRINTS
  puts("loading");
#endif
#ifdef ACCEPTS_EVERYTHING
  struct pgb_session session = {instance, 1, 0};
  *out = malloc(sizeof session);
  **out = session;
  return PGB_OK;
#endif
  return load(instance, model, session_options, out);
}

__attribute__((visibility("default"))) const pgb_backend* polygraphy_backend(uint32_t host_abi);

const pgb_backend* polygraphy_backend(uint32_t host_abi) {
  static pgb_backend broken;
  broken = *polygraphy_backend_without_mistakes(host_abi);
  broken.load = broken_load;
  return &broken;
}
