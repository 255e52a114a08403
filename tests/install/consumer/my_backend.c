/* A small third-party back end. A model of type "scale" is a text file with a
 * number; running it multiplies the input `x` by that number. Compiled, it is of type
 * "scale-binary": the number in binary. */
#include <polygraphy/backend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pgb_instance {
  const pgb_host* host;
};
struct pgb_session {
  struct pgb_instance* instance;
  double factor, shift;
};

static pgb_status failed(struct pgb_instance* instance, const char* message, const char* hint) {
  instance->host->set_error(instance->host->context, message, hint);
  return PGB_FAILED;
}

static pgb_status open_instance(const pgb_host* host, const char* library,
                                const char* const* search, size_t search_count,
                                pgb_instance** out) {
  (void)library, (void)search, (void)search_count; /* it needs no library */
  *out = calloc(1, sizeof **out);
  (*out)->host = host;
  return PGB_OK;
}

static void close_instance(pgb_instance* instance) {
  free(instance);
}

static pgb_status info(pgb_instance* instance, pgb_instance_info* out) {
  (void)instance;
  out->library_version = "7.5";
  out->devices = "abacus";
  return PGB_OK;
}

static uint32_t capabilities(pgb_instance* instance, const pgb_session_options* options) {
  (void)instance, (void)options;
  return 0;
}

static int read_factor(const pgb_model* model, double* factor) {
  int found = 0;
  FILE* file;
  if (model->bytes) {
    if (model->byte_count != sizeof *factor) return 0;
    memcpy(factor, model->bytes, sizeof *factor);
    return 1;
  }
  file = fopen(model->path, "rb");
  if (!file) return 0;
  found = strcmp(model->format, "scale") == 0
              ? fscanf(file, "%lf", factor) == 1
              : fread(factor, sizeof *factor, 1, file) == 1 && fgetc(file) == EOF;
  fclose(file);
  return found;
}

static pgb_status load(pgb_instance* instance, const pgb_model* model,
                       const pgb_session_options* options, pgb_session** out) {
  struct pgb_session session = {instance, 1, 0};
  size_t i;
  if (!read_factor(model, &session.factor))
    return failed(instance, "there is no number in the model", "Write one into its file.");
  for (i = 0; i < options->option_count; ++i) {
    if (strcmp(options->options[i].key, "shift") == 0)
      session.shift += atof(options->options[i].values[0]);
  }
  *out = malloc(sizeof session);
  **out = session;
  return PGB_OK;
}

static void unload(pgb_session* session) {
  free(session);
}

static size_t port(const char* name, size_t index, const pgb_tensor_info** out) {
  static const int64_t dims[] = {4};
  static pgb_tensor_info infos[2];
  pgb_tensor_info* it = &infos[name[0] == 'y'];
  it->struct_size = sizeof *it;
  it->name = name;
  it->kind = PGB_TENSOR;
  it->dtype = 1; /* float32 */
  it->rank = 1;
  it->dims = dims;
  if (index == 0) *out = it;
  return 1;
}

static size_t inputs(pgb_session* session, size_t index, const pgb_tensor_info** out) {
  (void)session;
  return port("x", index, out);
}

static size_t outputs(pgb_session* session, size_t index, const pgb_tensor_info** out) {
  (void)session;
  return port("y", index, out);
}

static pgb_status infer(pgb_session* session, const pgb_named_value* feeds, size_t feed_count,
                        pgb_output_fn deliver, void* context) {
  pgb_value y;
  float results[4];
  size_t i;
  if (feed_count != 1 || strcmp(feeds[0].name, "x") != 0 || feeds[0].value->bytes != sizeof results)
    return failed(session->instance, "the input is x, four numbers of type float32", NULL);
  y = *feeds[0].value;
  for (i = 0; i < 4; ++i)
    results[i] = (float)(((const float*)y.data)[i] * session->factor + session->shift);
  y.data = results;
  deliver(context, "y", &y);
  return PGB_OK;
}

static pgb_status build(pgb_instance* instance, const pgb_model* model,
                        const pgb_session_options* options, pgb_bytes_fn deliver, void* context) {
  double factor = 0;
  (void)options;
  if (!read_factor(model, &factor))
    return failed(instance, "there is no number in the model", "Write one into its file.");
  return deliver(context, &factor, sizeof factor) == 0 ? PGB_OK : PGB_CANCELLED;
}

static const void* extension(const char* name) {
  static const pgb_build builder = {.struct_size = sizeof(pgb_build),
                                    .format = "scale-binary",
                                    .build = build,
                                    .save_option = NULL};
  return strcmp(name, PGB_BUILD) == 0 ? &builder : NULL;
}

#ifndef SHIFT_OPTION
#define SHIFT_OPTION "--mine-shift"
#endif
static const pgb_model_format formats[] = {{"scale", "*.scale"}, {"scale-binary", "*.scaleb"}};
static const pgb_option_spec options[] = {
    {.spellings = SHIFT_OPTION,
     .key = "shift",
     .nargs = "1",
     .metavar = "NUMBER",
     .help = "Add this to the product. May be given more than once.",
     .type = PGB_NUMBER,
     .repeats = 1,
     .ours = 1},
};
static const pgb_backend_options table = {
    .struct_size = sizeof(pgb_backend_options),
    .name = "mine",
    .flags = "--mine",
    .flags_ours = 1,
    .runner_prefix = "mine-runner",
    .title = "My Own Back End",
    .summary = "Run inference by multiplying",
    .remedy = "It needs nothing.",
    .formats = formats,
    .format_count = sizeof formats / sizeof formats[0],
    .options = options,
    .option_count = sizeof options / sizeof options[0],
};
static const pgb_backend backend = {
    .struct_size = sizeof(pgb_backend),
#ifdef BUILT_FOR /* another version of the interface */
    .abi_version = BUILT_FOR,
#else
    .abi_version = PGB_ABI_VERSION,
#endif
    .options = &table,
    .open = open_instance,
    .close = close_instance,
    .info = info,
    .capabilities = capabilities,
    .load = load,
    .unload = unload,
    .inputs = inputs,
    .outputs = outputs,
    .infer = infer,
    .extension = extension,
};

__attribute__((visibility("default"))) const pgb_backend* polygraphy_backend(uint32_t host_abi);

const pgb_backend* polygraphy_backend(uint32_t host_abi) {
  (void)host_abi;
  return &backend;
}
