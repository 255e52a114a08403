/* A back end that misbehaves on demand, which real runtimes do not: it takes the place of
 * OpenVINO's plugin, and the name of a device says what it does. Else it computes y = x, float32 of
 * shape (2, 3). */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "polygraphy/backend.h"

struct pgb_instance {
  const pgb_host* host;
};
struct pgb_session {
  struct pgb_instance* instance;
  char what[64]; /* "crash-in-inference" … */
  int inferences;
};
static struct pgb_instance the_instance;

static pgb_status open_library(const pgb_host* host, const char* library, const char* const* search,
                               size_t search_count, pgb_instance** out) {
  (void)search, (void)search_count;
  if (library && strcmp(library, "crash") == 0) raise(SIGSEGV);
  the_instance.host = host;
  *out = &the_instance;
  return PGB_OK;
}

static void close_instance(pgb_instance* instance) {
  (void)instance;
}

static pgb_status info(pgb_instance* instance, pgb_instance_info* out) {
  (void)instance;
  out->library_version = "0.0";
  return PGB_OK;
}

static uint32_t capabilities(pgb_instance* instance, const pgb_session_options* options) {
  (void)instance, (void)options;
  return 0;
}

static pgb_status failed(pgb_instance* instance, const char* message, const char* hint) {
  instance->host->set_error(instance->host->context, message, hint);
  return PGB_FAILED;
}

static void misbehave(const char* what) {
  if (strcmp(what, "crash") == 0) {
    fputs("double: something is wrong\ndouble: giving up\n", stderr);
    raise(SIGSEGV);
  } else if (strcmp(what, "abort") == 0) {
    abort();
  } else if (strcmp(what, "exit") == 0) {
    exit(7);
  } else if (strcmp(what, "exit-0") == 0) {
    exit(0);
  } else if (strcmp(what, "killed") == 0) {
    raise(SIGKILL);
  } else if (strcmp(what, "hang") == 0) {
    while (1) sleep(1);
  }
}

static pgb_status load(pgb_instance* instance, const pgb_model* model,
                       const pgb_session_options* session_options, pgb_session** out) {
  const pgb_key_values* options = session_options->options;
  struct pgb_session* session = calloc(1, sizeof *session);
  size_t i;
  (void)model;
  session->instance = instance;
  for (i = 0; i < session_options->option_count; ++i) {
    if (strcmp(options[i].key, "device") == 0)
      strncpy(session->what, options[i].values[0], sizeof session->what - 1);
  }
  if (strncmp(session->what, "load-", 5) == 0) misbehave(session->what + 5);
  if (strcmp(session->what, "refuse") == 0)
    return failed(instance, "no such operator", "Use another model.");
  instance->host->log(instance->host->context, 20, "backend/double.py",
                      "The double has loaded a model");
  *out = session;
  return PGB_OK;
}

static void unload(pgb_session* session) {
  if (strncmp(session->what, "unload-", 7) == 0) misbehave(session->what + 7);
  free(session);
}

static size_t one(size_t index, const char* name, const pgb_tensor_info** out) {
  static const int64_t kDims[] = {2, 3};
  static pgb_tensor_info infos[2];
  pgb_tensor_info* it = &infos[name[0] == 'y'];
  memset(it, 0, sizeof *it);
  it->struct_size = sizeof *it;
  it->name = name;
  it->kind = PGB_TENSOR;
  it->dtype = 1;
  it->rank = 2;
  it->dims = kDims;
  if (index == 0) *out = it;
  return 1;
}

static size_t inputs(pgb_session* session, size_t index, const pgb_tensor_info** out) {
  (void)session;
  return one(index, "x", out);
}

static size_t outputs(pgb_session* session, size_t index, const pgb_tensor_info** out) {
  (void)session;
  return one(index, "y", out);
}

static pgb_status infer(pgb_session* session, const pgb_named_value* feeds, size_t feed_count,
                        pgb_output_fn deliver, void* context) {
  static const int64_t kOtherShape[] = {3, 2};
  pgb_value value = *feeds[0].value;
  const char* what = session->what;
  (void)feed_count;
  /* "second-crash": in the second inference. */
  ++session->inferences;
  if (strncmp(what, "second-", 7) == 0) what = session->inferences == 2 ? what + 7 : "";
  misbehave(what);
  if (strcmp(what, "fail") == 0) return failed(session->instance, "the device is on fire", 0);
  if (strcmp(what, "noise") == 0) fputs("double: a word on the side\n", stderr);
  if (strcmp(what, "wrong-shape") == 0) value.shape = kOtherShape;
  if (strcmp(what, "too-short") == 0) value.bytes = 4;
  if (strcmp(what, "out-of-memory") == 0 && !malloc((size_t)1 << 62))
    return failed(session->instance, "cannot allocate 4611686018427387904 bytes", 0);
  deliver(context, "y", &value);
  return PGB_OK;
}

static const pgb_model_format kFormats[] = {{"onnx", "*.onnx"}};
static const pgb_option_spec kDevice = {
    .spellings =
        "--"
        "openvino-device",
    .key = "device",
    .nargs = "1",
    .help = "What it does.",
};
static const pgb_backend_options kOptions = {
    .struct_size = sizeof(pgb_backend_options),
    .name = "openvino",
    .flags =
        "--"
        "openvino",
    .runner_prefix = "double",
    .title = "Double",
    .summary = "A double",
    .remedy = "There is none.",
    .formats = kFormats,
    .format_count = 1,
    .options = &kDevice,
    .option_count = 1,
};
static const pgb_backend kBackend = {
    .struct_size = sizeof(pgb_backend),
    .abi_version = PGB_ABI_VERSION,
    .options = &kOptions,
    .open = open_library,
    .close = close_instance,
    .info = info,
    .capabilities = capabilities,
    .load = load,
    .unload = unload,
    .inputs = inputs,
    .outputs = outputs,
    .infer = infer,
};

__attribute__((visibility("default"))) const pgb_backend* polygraphy_backend(
    uint32_t host_abi_version) {
  return host_abi_version == PGB_ABI_VERSION ? &kBackend : 0;
}
