// The tools of a case of the contract: a back end, models from text, arrays, and a log.
#pragma once

#include <atomic>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/os/scratch_folder.h"
#include "polygraphy/runtimes/backend/instance.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"
#include "polygraphy/runtimes/backend/runner.h"
#include "polygraphy/runtimes/backend/session_options.h"
#include "polygraphy/runtimes/contract/findings.h"

namespace polygraphy::contract {

// The encoded model.
std::string encode(std::string_view onnx_text);

template <typename T>
Array array_of(Shape shape, std::initializer_list<T> values) {
  return Array::of<T>(std::move(shape), values);
}

// Outputs and their elements; CaseFailed for missing ones.
const Value& value(const ValueMap& outputs, std::string_view name);
const Array& tensor(const ValueMap& outputs, std::string_view name);
double element(const Array& array, int64_t index);
double number(const ValueMap& outputs, std::string_view name, int64_t index);

// A log that keeps messages from INFO on, one by one, with prefixes ("[W] …").
class CaseLog {
 public:
  CaseLog();
  Logger& log() { return log_; }
  const std::vector<std::string>& messages() const { return messages_; }
  bool has(std::string_view text) const;

 private:
  Logger log_;
  std::vector<std::string> messages_;
};

class Workbench : public Findings {
 public:
  // `runtime`: the name of the back end. Nothing is opened yet.
  Workbench(const PluginPaths& paths, std::string runtime);

  const std::string& runtime() const { return runtime_; }
  PluginHost& host() { return *host_; }
  const pgb_backend_options& options();
  CaseLog& log() { return log_; }
  const ScratchFolder& folder() const { return folder_; }

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

  // A model that the back end takes, of any type; a compiled form of it is loaded instead.
  void use_model(std::string path, std::string format);
  std::unique_ptr<BackendSession> session_of_model();

  // For cancellation: new instances of this bench stop when it is set.
  std::atomic<bool> stop{false};

 private:
  std::string runtime_;
  ScratchFolder folder_;
  CaseLog log_;
  std::unique_ptr<PluginHost> host_;
  ModelBlob model_;
};

std::string contents_of(const std::string& path);

// Runs `body`, which should throw Error; its message (and hint, on a separate line), or "no error".
std::string error_of(const std::function<void()>& body);

}  // namespace polygraphy::contract
