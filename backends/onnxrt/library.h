// One loaded libonnxruntime and its C API.
#pragma once

#include <onnxruntime_c_api.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "common/plugin.h"

namespace onnxrt {

// Where the library's own messages go. ONNX Runtime calls it from any thread.
//
// Warnings of one kind (one place in its source) come once per node or initializer, easily hundreds
// in an old model: the first of each kind is a warning, the rest are verbose. `verbatim`: every one
// is a warning, and unedited; errors are errors.
class LogSink {
 public:
  explicit LogSink(pgb::Host host, bool verbatim = false);
  ~LogSink();
  LogSink(const LogSink&) = delete;
  LogSink& operator=(const LogSink&) = delete;

  // The OrtLoggingFunction; `sink` is a LogSink*.
  static void ORT_API_CALL receive(void* sink, OrtLoggingLevel severity, const char* category,
                                   const char* log_id, const char* location, const char* message);
  // The log level of ONNX Runtime for the messages that the host would show.
  OrtLoggingLevel level() const;
  const pgb::Host& host() const { return host_; }

 private:
  struct Seen;
  pgb::Host host_;
  std::unique_ptr<Seen> seen_;
  bool verbatim_;
};

// Lives for the rest of the process, once per real path; two versions live side by side. Its
// functions may be called from any thread.
class Library {
 public:
  // Throws Failure(PGB_UNAVAILABLE) with the reason.
  static Library& open(const char* library, const char* const* search, size_t search_count);

  const OrtApi& api() const { return *api_; }
  // The newest version of the C API that both the library and our header know: calls newer than
  // that do not exist.
  uint32_t api_version() const { return api_version_; }
  const std::string& version() const { return version_; }
  const std::string& path() const { return path_; }
  void* handle() const { return handle_; }

  // The library's process-wide environment: made on first use, never released.
  OrtEnv* env();
  // Newest IR version and newest opset of the default domain that the library loads, found by
  // asking it; 0 when it does not say.
  int32_t max_ir_version();
  int32_t max_opset();

  // Messages outside of any session go to the sink attached last.
  void attach(LogSink* sink);
  void detach(LogSink* sink);

  // Throws Failure with a readable message when `status` is one; releases it.
  void check(OrtStatus* status, std::string_view what = {}) const;
  // The same in ONNX Runtime's own words, as its Python module says it:
  // "[ONNXRuntimeError] : 1 : FAIL : …".
  void check_verbatim(OrtStatus* status) const;
  // Message of `status` and its code; releases it.
  std::string take_message(OrtStatus* status) const;

 private:
  struct Messages;
  Library(void* handle, std::string path);
  std::string refusal(const unsigned char* model, size_t size);

  void* handle_;
  std::string path_, version_;
  const OrtApi* api_ = nullptr;
  uint32_t api_version_ = 0;
  // Made on first use, by whichever thread comes first.
  std::once_flag env_once_, max_ir_version_once_, max_opset_once_;
  OrtEnv* env_ = nullptr;
  int32_t max_ir_version_ = 0;
  int32_t max_opset_ = 0;
  Messages* messages_ = nullptr;  // never freed: the environment refers to it
};

// Without the place in ONNX Runtime's source and the function's signature that its messages begin
// with.
std::string readable(std::string_view message);

// Objects of the C API, released with the function that belongs to them.
template <typename T>
using Owned = std::unique_ptr<T, void(ORT_API_CALL*)(T*)>;

// Calls a function of the API that makes an object.
template <typename T, typename Release, typename Make>
Owned<T> make(const Library& library, Release release, Make&& make_object) {
  T* object = nullptr;
  library.check(make_object(&object));
  return Owned<T>(object, release);
}

}  // namespace onnxrt
