/* Plugins for the host's tests: each wrong in the one way that its macro names. */
#include <string.h>

#include "polygraphy/backend.h"

#ifdef NO_ENTRY_POINT
__attribute__((visibility("default"))) int something_else = 1;
#else

struct pgb_instance {
  const pgb_host* host;
};
struct pgb_session {
  struct pgb_instance* instance;
};
static struct pgb_instance the_instance;
static struct pgb_session the_session;

static pgb_status open_library(const pgb_host* host, const char* library, const char* const* search,
                               size_t search_count, pgb_instance** out) {
  (void)library, (void)search, (void)search_count;
#ifdef UNAVAILABLE
  host->set_error(host->context, "it rains", 0);
  return PGB_UNAVAILABLE;
#endif
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

/* Fails without a word for a model at path "silent", says UNAVAILABLE for "gone", else loads. */
static pgb_status load(pgb_instance* instance, const pgb_model* model,
                       const pgb_session_options* options, pgb_session** out) {
  (void)options;
  if (model->path && strcmp(model->path, "silent") == 0) return PGB_FAILED;
  if (model->path && strcmp(model->path, "option") == 0) {
    instance->host->set_error(instance->host->context, "--colour: there is no 'mauve'", "Try red.");
    return PGB_BAD_OPTION;
  }
  the_session.instance = instance;
  *out = &the_session;
  return PGB_OK;
}

static void unload(pgb_session* session) {
  (void)session;
}

static size_t no_inputs(pgb_session* session, size_t index, const pgb_tensor_info** out) {
  (void)session, (void)index, (void)out;
  return 0;
}

static size_t one_output(pgb_session* session, size_t index, const pgb_tensor_info** out) {
  static const pgb_tensor_info kInfo = {sizeof(pgb_tensor_info), "y", PGB_TENSOR, 1, -1, 0, 0};
  (void)session;
  if (index == 0) *out = &kInfo;
  return 1;
}

/* Delivers 4 bytes for 8 float32 values. */
static pgb_status infer(pgb_session* session, const pgb_named_value* feeds, size_t feed_count,
                        pgb_output_fn deliver, void* context) {
  static const float kValue = 1;
  static const int64_t kShape[] = {8};
  pgb_value value;
  (void)session, (void)feeds, (void)feed_count;
  memset(&value, 0, sizeof(value));
  value.struct_size = sizeof(value);
  value.kind = PGB_TENSOR;
  value.dtype = 1;
  value.rank = 1;
  value.shape = kShape;
  value.data = &kValue;
  value.bytes = sizeof(kValue);
  deliver(context, "y", &value);
  return PGB_OK;
}

#ifdef OTHER_NAME
#define NAME "something"
#else
#define NAME "onnxrt"
#endif
static const pgb_model_format kFormats[] = {{"onnx", "*.onnx"}};
static const pgb_backend_options kOptions = {
    .struct_size = sizeof(pgb_backend_options),
    .name = NAME,
    .flags = "--" NAME,
    .runner_prefix = "double",
    .title = "Double",
    .summary = "A double",
    .remedy = "There is none.",
    .formats = kFormats,
    .format_count = 1,
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
    .inputs = no_inputs,
    .outputs = one_output,
    .infer = infer,
};

__attribute__((visibility("default"))) const pgb_backend* polygraphy_backend(
    uint32_t host_abi_version) {
#ifdef OTHER_VERSION
  return host_abi_version == 0 ? &kBackend : 0;
#else
  return host_abi_version == PGB_ABI_VERSION ? &kBackend : 0;
#endif
}
#endif
