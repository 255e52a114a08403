#include "bench.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "base/arrays/numpy_text.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/backend/backend_catalog.h"
#include "polygraphy/backend/session_runner.h"

namespace polygraphy::contract {

PluginPaths test_paths() {
  PluginPaths paths;
  paths.plugin_dirs = {PG_BINARY_DIR "/lib/polygraphy/backends"};
  paths.bundled = {PG_DEPS_DIR};
  for (const pgb_backend_options* each : backend_option_tables()) {
    if (const char* path = std::getenv(each->library_env)) {
      paths.library_env.emplace_back(each->name, path);
    }
  }
  return paths;
}

std::string encode(std::string_view onnx_text) {
  return graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(onnx_text));
}

Array array_of_bytes(DataType type, Shape shape, std::string_view bytes) {
  Array array = Array::uninitialized(type, std::move(shape));
  EXPECT_EQ(static_cast<int64_t>(bytes.size()), array.nbytes());
  std::memcpy(array.mutable_data(), bytes.data(), static_cast<size_t>(array.nbytes()));
  return array;
}

std::string describe(const Array& array) {
  return std::string(name_of(array.dtype())) + " " + py_tuple_repr(array.shape()) + " " +
         numpy_str(array, {});
}

Bench::Bench(std::string runtime) : runtime_(std::move(runtime)) {
  host_ = std::make_unique<PluginHost>(test_paths(), log_.log());
  host_->cancel_on(stop);
}

std::string Bench::file_of_bytes(const std::string& bytes, const std::string& name) {
  return write(folder_, name, bytes);
}

std::string Bench::file(std::string_view onnx_text, const std::string& name) {
  return file_of_bytes(encode(onnx_text), name);
}

std::unique_ptr<Runner> Bench::runner(ModelSource source, BackendOptions options) {
  return make_runner(*host_, *host_->catalog().get(runtime_).options, std::move(source),
                     {.options = std::move(options)}, {}, log_.log());
}

ValueMap Bench::run(std::string_view onnx_text, const ValueMap& feeds, BackendOptions options) {
  const std::unique_ptr<Runner> made = runner({.path = file(onnx_text)}, std::move(options));
  ActiveRunner active(*made);
  return active.infer(feeds);
}

std::unique_ptr<BackendSession> Bench::session_of_bytes(const std::string& bytes,
                                                        BackendOptions options, bool profile) {
  ModelBlob blob;
  blob.bytes = bytes;
  return host_->open(runtime_)->load(blob, {.options = std::move(options), .profile = profile});
}

std::unique_ptr<BackendSession> Bench::session(std::string_view onnx_text, BackendOptions options,
                                               bool profile) {
  return session_of_bytes(encode(onnx_text), std::move(options), profile);
}

std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Interrupted&) {
    return "interrupted";
  } catch (const Error& error) {
    return error.hint().empty() ? error.what() : std::string(error.what()) + "\n" + error.hint();
  }
  return "no error";
}

}  // namespace polygraphy::contract
