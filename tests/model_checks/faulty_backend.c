/* ONNX Runtime, in the place of OpenVINO's plugin, with faults that single operators bring about,
 * as real runtimes have them: a model with Softsign is computed wrongly, one with Softplus crashes,
 * one with Selu hangs, one with Erf is refused, one with Celu returns an empty output, and one with
 * Mish is killed once for each byte of the file that PG_TEST_KILLS names. The plugin of ONNX
 * Runtime does the work. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "polygraphy/backend.h"

static const pgb_backend* real;
static const pgb_host* host;
/* Of the model that is loaded; there is one at a time. */
static int computes_wrongly, crashes, hangs, is_empty, is_killed;

static int contains(const char* bytes, size_t size, const char* word) {
  return memmem(bytes, size, word, strlen(word)) != 0;
}

static pgb_status open_library(const pgb_host* given, const char* library,
                               const char* const* search, size_t search_count, pgb_instance** out) {
  glob_t found;
  pgb_status status;
  (void)library, (void)search, (void)search_count;
  host = given;
  if (glob(PG_ONNXRUNTIME, 0, 0, &found) != 0) return PGB_UNAVAILABLE;
  status = real->open(given, found.gl_pathv[0], 0, 0, out);
  globfree(&found);
  return status;
}

static pgb_status load(pgb_instance* instance, const pgb_model* model,
                       const pgb_session_options* options, pgb_session** out) {
  char* bytes = (char*)model->bytes;
  size_t size = model->byte_count;
  if (!bytes) {
    FILE* file = fopen(model->path, "rb");
    bytes = malloc((size_t)1 << 20);
    size = fread(bytes, 1, (size_t)1 << 20, file);
    fclose(file);
  }
  computes_wrongly = contains(bytes, size, "Softsign");
  crashes = contains(bytes, size, "Softplus");
  hangs = contains(bytes, size, "Selu");
  is_empty = contains(bytes, size, "Celu");
  is_killed = contains(bytes, size, "Mish");
  if (contains(bytes, size, "Erf")) {
    host->set_error(host->context, "operator 'Erf' of node 'n17' is not supported", 0);
    return PGB_FAILED;
  }
  return real->load(instance, model, options, out);
}

struct delivery {
  pgb_output_fn deliver;
  void* context;
};

static int deliver_wrongly(void* context, const char* name, const pgb_value* value) {
  const struct delivery* to = context;
  pgb_value wrong = *value;
  float* data = malloc(value->bytes);
  int stop;
  memcpy(data, value->data, value->bytes);
  if (value->bytes >= sizeof *data) data[0] += 1;
  wrong.data = data;
  wrong.owner = 0;
  stop = to->deliver(to->context, name, &wrong);
  free(data);
  return stop;
}

static int deliver_empty(void* context, const char* name, const pgb_value* value) {
  const struct delivery* to = context;
  pgb_value empty = *value;
  int64_t shape[8] = {0};
  memcpy(shape + 1, value->shape + 1, (value->rank - 1) * sizeof *shape);
  empty.shape = shape;
  empty.bytes = 0;
  empty.owner = 0;
  return to->deliver(to->context, name, &empty);
}

/* As the system does for lack of memory. */
static void be_killed(void) {
  const char* path = getenv("PG_TEST_KILLS");
  FILE* file = path ? fopen(path, "rb") : 0;
  long kills = 0;
  if (!file) return;
  if (fseek(file, 0, SEEK_END) == 0) kills = ftell(file);
  fclose(file);
  if (kills > 0 && truncate(path, kills - 1) == 0) raise(SIGKILL);
}

static pgb_status infer(pgb_session* session, const pgb_named_value* feeds, size_t feed_count,
                        pgb_output_fn deliver, void* context) {
  struct delivery to = {deliver, context};
  if (crashes) raise(SIGSEGV);
  while (hangs) sleep(1);
  if (is_killed) be_killed();
  if (is_empty) return real->infer(session, feeds, feed_count, deliver_empty, &to);
  if (!computes_wrongly) return real->infer(session, feeds, feed_count, deliver, context);
  return real->infer(session, feeds, feed_count, deliver_wrongly, &to);
}

__attribute__((visibility("default"))) const pgb_backend* polygraphy_backend(
    uint32_t host_abi_version) {
  static pgb_backend_options options;
  static pgb_backend faulty;
  void* plugin = dlopen(PG_ONNXRT_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  pgb_backend_fn entry = plugin ? (pgb_backend_fn)dlsym(plugin, PGB_ENTRY_POINT) : 0;
  if (!entry || !(real = entry(host_abi_version))) return 0;
  options = *real->options;
  options.name = "openvino";
  faulty = *real;
  faulty.options = &options;
  faulty.open = open_library;
  faulty.load = load;
  faulty.infer = infer;
  return &faulty;
}
