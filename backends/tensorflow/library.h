// One loaded libtensorflow_cc: its functions, and how it numbers element types.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "common/plugin.h"
#include "tensorflow/c_api.h"

namespace tensorflow {

// Lives for the rest of the process, once per real path.
class Library {
 public:
  // VERBOSE: the library's description of itself. Throws Failure(PGB_UNAVAILABLE) with the reason.
  static Library& open(const pgb::Host& host, const char* library, const char* const* search,
                       size_t search_count);

  const Api& api() const { return api_; }
  const std::string& version() const { return version_; }
  const std::string& path() const { return path_; }

 private:
  Library(void* handle, std::string path);

  std::string path_, version_;
  Api api_;
};

// ONNX' number of an element type, also of references to variables; 0 when ONNX has no such type.
int32_t onnx_type(int type);
// Throws Failure(PGB_UNSUPPORTED) when TensorFlow has no such type.
int tensorflow_type(int32_t onnx_type);

// The status of a call.
class Status {
 public:
  explicit Status(const Library& library)
      : api_(library.api()), status_(api_.NewStatus(), api_.DeleteStatus) {}
  TF_Status* get() const { return status_.get(); }
  bool ok() const { return api_.GetCode(status_.get()) == kOk; }
  // Throws Failure with a readable message, unless ok(). `what` goes before it.
  void check(std::string_view what = {}) const;

 private:
  const Api& api_;
  std::unique_ptr<TF_Status, void (*)(TF_Status*)> status_;
};

// The useful part of a message: without the place in a generated graph, and without a trace of
// calls.
std::string readable(std::string_view message);

template <typename T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

// A buffer with a copy of bytes; without them, an empty one to be filled.
inline Owned<Buffer> make_buffer(const Library& library, std::string_view bytes = {}) {
  const Api& api = library.api();
  return {bytes.empty() ? api.NewBuffer() : api.NewBufferFromString(bytes.data(), bytes.size()),
          api.DeleteBuffer};
}
inline std::string_view bytes_of(const Owned<Buffer>& buffer) {
  return {static_cast<const char*>(buffer->data), buffer->length};
}

}  // namespace tensorflow
