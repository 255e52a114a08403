// C++ over the C boundary: opened engines and loaded models. Messages, errors and cancellation of
// the plugin side arrive here as log lines, Error and Interrupted.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arrays/tensor_map.h"
#include "base/error.h"
#include "base/log.h"
#include "polygraphy/backend.h"
#include "polygraphy/backend/inference.h"
#include "polygraphy/backend/node_time.h"
#include "polygraphy/loaders/model_source.h"
#include "polygraphy/tensors/metadata.h"

namespace polygraphy {

// Options for one runner, as typed: key (pgb_option_spec.key) and values.
using BackendOptions = std::vector<std::pair<std::string, std::vector<std::string>>>;

// An input or output of a loaded model.
struct Port {
  std::string name;
  pgb_value_kind kind = PGB_TENSOR;
  TensorInfo info;  // of optionals: of what they hold
};

// Names and what is known of them.
Metadata metadata_of(const std::vector<Port>& ports);

// An option's value that the engine refuses: the message stands for itself, without the model's
// name.
class OptionError : public Error {
 public:
  using Error::Error;
};

class BackendInstance;
class SharedHeap;

// A loaded model. Keeps its instance alive.
class BackendSession {
 public:
  ~BackendSession();
  BackendSession(const BackendSession&) = delete;
  BackendSession& operator=(const BackendSession&) = delete;

  const std::vector<Port>& inputs() const { return inputs_; }
  const std::vector<Port>& outputs() const { return outputs_; }

  // Runs once. Outputs are in the engine's order and own their memory. Sequences, maps and
  // optionals are spread over several entries (values.h); a feed for a sequence is given the same
  // way. The seconds are those until the runtime handed over its first output. Throws Error,
  // Interrupted.
  Inference infer(const TensorMap& feeds);
  // Per-node times of the last infer(), when loaded with the option "profile".
  std::vector<NodeTime> profile();

 private:
  friend class BackendInstance;
  BackendSession(std::shared_ptr<BackendInstance> instance, pgb_session* session);

  std::shared_ptr<BackendInstance> instance_;
  pgb_session* session_;
  std::vector<Port> inputs_, outputs_;
};

// A vendor library opened by its plugin. One thread at a time.
class BackendInstance : public std::enable_shared_from_this<BackendInstance> {
 public:
  // Throws Error with the plugin's reason, `hint` when the plugin gives none. `log`, `cancel` and
  // `heap` (where outputs are to lie if the engine can; both may be null) must outlive the
  // instance, which must outlive the outputs that lie there.
  BackendInstance(const pgb_backend& backend, const std::string& library,
                  const std::vector<std::string>& search, const std::string& hint, Logger& log,
                  const std::atomic<bool>* cancel, SharedHeap* heap);
  ~BackendInstance();
  BackendInstance(const BackendInstance&) = delete;
  BackendInstance& operator=(const BackendInstance&) = delete;

  const pgb_backend& backend() const { return backend_; }
  std::string name() const { return backend_.name; }

  // May cost time (devices are looked for): not on the way to an inference that does not need it.
  struct Info {
    std::string library_version, library_path, devices;
    int64_t max_ir_version = 0;
    int64_t max_opset = 0;
    uint32_t capabilities = 0;  // PGB_*, of this version of the library
  };
  const Info& info();

  std::unique_ptr<BackendSession> load(const ModelBlob& model, const BackendOptions& options);

 private:
  friend class BackendSession;
  class HostSide;

  // Throws what `status` stands for; passes on queued messages.
  void finish(pgb_status status);

  const pgb_backend& backend_;
  std::unique_ptr<HostSide> host_;
  pgb_instance* instance_ = nullptr;
  std::unique_ptr<Info> info_;
};

}  // namespace polygraphy
