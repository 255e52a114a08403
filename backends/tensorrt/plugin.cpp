// TensorRT as a back end: the exported table.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "common/export.h"
#include "tensorrt/driver.h"
#include "tensorrt/family.h"
#include "tensorrt/library.h"

extern "C" const pgb_backend_options backend_options_tensorrt;  // tensorrt_options.cpp

namespace {

// The devices, or the reason for a missing device.
std::string devices_of() {
  try {
    return tensorrt::Driver::open({})->device();
  } catch (const pgb::Failure& failure) {
    return std::string("none (") + failure.what() + ")";
  }
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

}  // namespace

struct pgb_session {
  std::unique_ptr<tensorrt::Engine> engine;
  tensorrt::Engine& session = *engine;
};

struct pgb_instance {
  pgb_instance(const pgb_host& raw, const char* path, const char* const* search, size_t count)
      : host(raw), library(tensorrt::Library::open(path, search, count)) {
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

  void info(pgb_instance_info& out) {
    const bool rtx = library.family() == tensorrt::Family::kRtx;
    version = (rtx ? "RTX " : "") + library.version();
    if (devices.empty()) devices = devices_of();
    out.library_version = version.c_str();
    out.library_path = library.path().c_str();
    out.devices = devices.c_str();
    out.max_ir_version = 0;  // its parser looks neither at the IR version
    out.max_opset = 0;       // nor refuses an opset as such
  }

  uint32_t capabilities(const pgb::Options&) const { return PGB_EXTERNAL_FOLDER | PGB_WANTS_TYPES; }

  pgb_session* load(const pgb::Host&, const pgb_model& model, const pgb::Options& options) {
    if (model.path && std::strcmp(model.format, "engine") == 0)
      warn_of_builder_options(services, options.session());
    return new pgb_session{api->load(services, model, options)};
  }

  pgb_host host;
  pgb::Host services{host};
  const tensorrt::Library library;
  std::unique_ptr<tensorrt::Api> api;
  std::string version, devices;
};

namespace {

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

const void* extension_of(const char* name) {
  if (std::strcmp(name, PGB_BUILD) == 0) return &kBuild;
  if (std::strcmp(name, PGB_INSPECT) == 0) return &kInspect;
  return nullptr;
}

}  // namespace

PGB_EXPORT(backend_options_tensorrt, extension_of)
