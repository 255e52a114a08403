// What a contract case works with: a runtime, models from text, arrays, and a log.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/recording_log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/backend/instance.h"
#include "polygraphy/backend/plugin_host.h"
#include "polygraphy/backend/runner.h"
#include "polygraphy/backend/session_options.h"

namespace polygraphy::contract {

// The back ends of this build, and the libraries that set-up brought. POLYGRAPHY_ONNXRT_LIB and
// POLYGRAPHY_OPENVINO_LIB run the suite on other libraries.
PluginPaths test_paths();

// The encoded model.
std::string encode(std::string_view onnx_text);

template <typename T>
Array array_of(Shape shape, std::initializer_list<T> values) {
  return Array::of<T>(std::move(shape), values);
}
// An array of any type from its packed bytes.
Array array_of_bytes(DataType type, Shape shape, std::string_view bytes);
// "float32 (2, 3) [1 2 3 …]": for failures.
std::string describe(const Array& array);

class Bench {
 public:
  explicit Bench(std::string runtime);

  const std::string& runtime() const { return runtime_; }
  PluginHost& host() { return *host_; }
  RecordingLog& log() { return log_; }
  const TemporaryFolder& folder() const { return folder_; }

  // A model file in the bench's folder, of ONNX text or of encoded bytes.
  std::string file(std::string_view onnx_text, const std::string& name = "model.onnx");
  std::string file_of_bytes(const std::string& bytes, const std::string& name = "model.onnx");

  std::unique_ptr<Runner> runner(ModelSource source, BackendOptions options = {});
  // Loads, runs once, lets go.
  ValueMap run(std::string_view onnx_text, const ValueMap& feeds, BackendOptions options = {});
  // Below the runner: no checks of ours between the feeds and the runtime.
  std::unique_ptr<BackendSession> session(std::string_view onnx_text, BackendOptions options = {},
                                          bool profile = false);
  std::unique_ptr<BackendSession> session_of_bytes(const std::string& bytes,
                                                   BackendOptions options = {},
                                                   bool profile = false);

  // For cancellation: new instances of this bench stop when it is set.
  std::atomic<bool> stop{false};

 private:
  std::string runtime_;
  TemporaryFolder folder_;
  RecordingLog log_;
  std::unique_ptr<PluginHost> host_;
};

// Runs `body`, which must throw Error; its message (and hint, on a line of its own).
std::string error_of(const std::function<void()>& body);

}  // namespace polygraphy::contract
