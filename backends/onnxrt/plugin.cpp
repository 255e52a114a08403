// ONNX Runtime as a back end: the exported table.
#include <optional>
#include <string>

#include "common/export.h"
#include "onnxrt/host_memory.h"
#include "onnxrt/library.h"
#include "onnxrt/session.h"

extern "C" const pgb_backend_options backend_options_onnxrt;  // onnxrt_options.cpp

struct pgb_session {
  onnxrt::Session session;
};

struct pgb_instance {
  pgb_instance(const pgb_host& raw, const char* path, const char* const* search, size_t count)
      : host(raw), library(onnxrt::Library::open(path, search, count)), sink(pgb::Host(host)) {
    library.attach(&sink);
    if (host.allocate) memory.emplace(library, pgb::Host(host));
  }
  ~pgb_instance() { library.detach(&sink); }

  void info(pgb_instance_info& out) {
    if (devices.empty()) {
      char** names = nullptr;
      int count = 0;
      library.check(library.api().GetAvailableProviders(&names, &count));
      for (int i = 0; i < count; ++i) devices += (i ? ", " : "") + std::string(names[i]);
      library.check(library.api().ReleaseAvailableProviders(names, count));
    }
    out.library_version = library.version().c_str();
    out.library_path = library.path().c_str();
    out.devices = devices.c_str();
    out.max_ir_version = library.max_ir_version();
    out.max_opset = library.max_opset();
  }

  // The folder is session.model_external_initializers_file_folder_path, which came with 1.21. Other
  // execution providers than the library's own may want the weights inside of the model.
  uint32_t capabilities(const pgb::Options& options) const {
    if (library.api_version() < 21) return 0;
    return PGB_EXTERNAL_FOLDER | (options.has("providers") ? 0u : PGB_MAPS_WEIGHTS);
  }

  pgb_session* load(const pgb::Host& services, const pgb_model& model,
                    const pgb::Options& options) {
    return new pgb_session{onnxrt::Session(library, services, model, options)};
  }

  pgb_host host;
  onnxrt::Library& library;
  onnxrt::LogSink sink;
  std::optional<onnxrt::HostMemory> memory;
  std::string devices;
};

PGB_EXPORT(backend_options_onnxrt, nullptr)
