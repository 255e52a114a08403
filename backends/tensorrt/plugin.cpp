// TensorRT as a back end: the exported table.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "common/plugin.h"
#include "common/session_calls.h"
#include "tensorrt/driver.h"
#include "tensorrt/family.h"
#include "tensorrt/library.h"

extern "C" const pgb_backend_options backend_options_tensorrt;  // tensorrt_options.cpp

struct pgb_instance {
  pgb_instance(const pgb_host& raw, tensorrt::Library opened)
      : host(raw), library(std::move(opened)) {
    switch (library.family()) {
      case tensorrt::Family::kTensorRt10:
        api = tensorrt::v10::make_api(library);
        break;
      case tensorrt::Family::kTensorRt11:
        api = tensorrt::v11::make_api(library);
        break;
      case tensorrt::Family::kRtx:
        api = tensorrt::rtx::make_api(library);
        break;
    }
  }

  pgb_host host;
  pgb::Host services{host};
  const tensorrt::Library library;
  std::unique_ptr<tensorrt::Api> api;
  std::string version, devices;
};

struct pgb_session {
  std::unique_ptr<tensorrt::Engine> engine;
  tensorrt::Engine& session = *engine;
};

namespace {

pgb_status open(const pgb_host* host, const char* library, const char* const* search,
                size_t search_count, pgb_instance** out) {
  return pgb::guarded(*host, [&] {
    *out = new pgb_instance(*host, tensorrt::Library::open(library, search, search_count));
  });
}

void close(pgb_instance* instance) {
  delete instance;
}

// The devices, or the reason for a missing device.
std::string devices_of() {
  try {
    return tensorrt::Driver::open({})->device();
  } catch (const pgb::Failure& failure) {
    return std::string("none (") + failure.what() + ")";
  }
}

pgb_status info(pgb_instance* instance, pgb_instance_info* out) {
  return pgb::guarded(instance->host, [&] {
    const tensorrt::Library& library = instance->library;
    const bool rtx = library.family() == tensorrt::Family::kRtx;
    instance->version = (rtx ? "RTX " : "") + library.version();
    if (instance->devices.empty()) instance->devices = devices_of();
    out->library_version = instance->version.c_str();
    out->library_path = library.path().c_str();
    out->devices = instance->devices.c_str();
    out->max_ir_version = 0;  // its parser looks neither at the IR version
    out->max_opset = 0;       // nor refuses an opset as such
  });
}

uint32_t capabilities(pgb_instance*, const pgb_session_options*) {
  return PGB_EXTERNAL_FOLDER | PGB_WANTS_TYPES;
}

// Whether an option has no effect on an engine that is built.
bool is_for_building(const char* key) {
  return std::any_of(backend_options_tensorrt.options,
                     backend_options_tensorrt.options + backend_options_tensorrt.option_count,
                     [&](const pgb_option_spec& spec) {
                       return std::strcmp(spec.key, key) == 0 && spec.spellings &&
                              spec.stages == PGB_BUILDS;
                     });
}

// An existing engine stays unchanged.
void warn_of_builder_options(const pgb::Host& host, const pgb_session_options& options) {
  std::string without_effect;
  for (size_t i = 0; i < options.option_count; ++i) {
    if (!is_for_building(options.options[i].key)) continue;
    std::string spelling = "--" + std::string(options.options[i].key);
    std::replace(spelling.begin(), spelling.end(), '_', '-');
    without_effect += (without_effect.empty() ? "" : ", ") + spelling;
  }
  if (!without_effect.empty()) {
    host.log(pgb::kWarning, "backend/trt/loader.py",
             "The model is already an engine. Options without effect: " + without_effect);
  }
}

pgb_status load(pgb_instance* instance, const pgb_model* model, const pgb_session_options* options,
                pgb_session** out) {
  return pgb::guarded(instance->host, [&] {
    instance->services.throw_if_cancelled();
    if (model->path && std::strcmp(model->format, "engine") == 0)
      warn_of_builder_options(instance->services, *options);
    *out = new pgb_session{instance->api->load(instance->services, *model, pgb::Options(*options))};
  });
}

pgb_status build(pgb_instance* instance, const pgb_model* model, const pgb_session_options* options,
                 pgb_bytes_fn deliver, void* context) {
  return pgb::guarded(instance->host, [&] {
    instance->services.throw_if_cancelled();
    instance->api->build(instance->services, *model, pgb::Options(*options), deliver, context);
  });
}

constexpr pgb_build kBuild = {.struct_size = sizeof(pgb_build),
                              .format = "engine",
                              .build = build,
                              .save_option = "save_engine"};

// One of the texts that Api writes.
template <auto kText>
pgb_status describe(pgb_instance* instance, const pgb_model* model,
                    const pgb_session_options* options, pgb_bytes_fn deliver, void* context) {
  return pgb::guarded(instance->host, [&] {
    instance->services.throw_if_cancelled();
    const std::string text =
        ((*instance->api).*kText)(instance->services, *model, pgb::Options(*options));
    deliver(context, text.data(), text.size());
  });
}

pgb_status network_with_weights(pgb_instance* instance, const pgb_model* model,
                                const pgb_session_options* options, pgb_bytes_fn deliver,
                                void* context) {
  return pgb::guarded(instance->host, [&] {
    instance->services.throw_if_cancelled();
    instance->api->network_with_weights(instance->services, *model, pgb::Options(*options), deliver,
                                        context);
  });
}

constexpr pgb_inspect kInspect = {.struct_size = sizeof(pgb_inspect),
                                  .network = describe<&tensorrt::Api::network>,
                                  .capability = describe<&tensorrt::Api::capability>,
                                  .engine = describe<&tensorrt::Api::engine>,
                                  .network_with_weights = network_with_weights};

const void* extension(const char* name) {
  if (std::strcmp(name, PGB_BUILD) == 0) return &kBuild;
  if (std::strcmp(name, PGB_INSPECT) == 0) return &kInspect;
  return nullptr;
}

const pgb_backend kBackend = {
    .struct_size = sizeof(pgb_backend),
    .abi_version = PGB_ABI_VERSION,
    .options = &backend_options_tensorrt,
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
    .extension = extension,
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const pgb_backend* polygraphy_backend(
    uint32_t host_abi_version) {
  return host_abi_version == PGB_ABI_VERSION ? &kBackend : nullptr;
}
