// C++ over the C boundary: opened runtimes and loaded models. Messages, errors and cancellation of
// the plugin side arrive here as log lines, Error and Interrupted.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "polygraphy/backend.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/call_limits.h"
#include "polygraphy/runtimes/backend/inference.h"
#include "polygraphy/runtimes/backend/node_time.h"
#include "polygraphy/runtimes/backend/raw_forms.h"
#include "polygraphy/runtimes/backend/session_options.h"

namespace polygraphy {

// Names, types and shapes, as far as they are known.
Metadata metadata_of(const std::vector<ValueInfo>& values);

class BackendInstance;
class HostSide;
class SharedHeap;

// A loaded model. Keeps its instance alive.
class BackendSession {
 public:
  ~BackendSession();
  BackendSession(const BackendSession&) = delete;
  BackendSession& operator=(const BackendSession&) = delete;

  const std::vector<ValueInfo>& inputs() const { return inputs_; }
  const std::vector<ValueInfo>& outputs() const { return outputs_; }

  // Runs once. Outputs are in the runtime's order and own their memory. Absent feeds are left out;
  // a tensor that is fed to a sequence is its only item. The seconds are those until the runtime
  // handed over its first output. Throws Error, Interrupted.
  Inference infer(const ValueMap& feeds);
  // Per-node times of the last infer(), when loaded with SessionOptions::profile.
  std::vector<NodeTime> profile();
  // The format that it computes in, by its name in ONNX; empty: the plugin does not report one.
  std::string precision() const;

 private:
  friend class BackendInstance;
  BackendSession(std::shared_ptr<BackendInstance> instance, pgb_session* session);

  std::shared_ptr<BackendInstance> instance_;
  pgb_session* session_;
  std::vector<ValueInfo> inputs_, outputs_;
};

// A vendor library opened by its plugin. One thread at a time.
class BackendInstance : public std::enable_shared_from_this<BackendInstance> {
 public:
  // Throws Error with the plugin's reason, `hint` when the plugin gives none. `log`, `limits` and
  // `heap` (where the runtime puts its outputs if it can; may be null) must outlive the instance,
  // which must outlive the outputs in the heap. A call reads the limits at its start.
  BackendInstance(const pgb_backend& backend, const std::string& library,
                  const std::vector<std::string>& search, const std::string& hint, Logger& log,
                  CancelToken cancel, const CallLimits& limits, SharedHeap* heap);
  ~BackendInstance();
  BackendInstance(const BackendInstance&) = delete;
  BackendInstance& operator=(const BackendInstance&) = delete;

  const pgb_backend& backend() const { return backend_; }
  std::string name() const { return backend_.options->name; }

  // May cost time (devices are looked for): not on the way to an inference that does not need it.
  struct Info {
    std::string library_version, library_path, devices;
    int64_t max_ir_version = 0;
    int64_t max_opset = 0;
  };
  const Info& info();
  // PGB_*: of load() with these options.
  uint32_t capabilities(const SessionOptions& options);

  // Throws Error, also for a model of a format that the back end does not take; OptionError for a
  // key that is not among its options.
  std::unique_ptr<BackendSession> load(const ModelBlob& model, const SessionOptions& options);
  // Whether models of this format are compiled first: load() takes the result of build().
  bool builds(const std::string& format) const;
  // Compiles the model; load() takes the artefact under the format that is returned with it. Saves
  // it where the back end's own option says so, atomically. Throws Error, also when the back end
  // does not compile apart from loading.
  struct Artefact {
    std::string format, bytes;
    // An Error: the artefact or a file beside it could not be written. For the caller to throw,
    // when it has kept the artefact.
    std::exception_ptr failure = nullptr;
  };
  Artefact build(const ModelBlob& model, const SessionOptions& options);
  // Saves a model that is an artefact already, where the back end's own option says so.
  void save_artefact(const ModelBlob& model, const SessionOptions& options);
  // The results of pgb_inspect's functions. Throws Error, also when the back end lacks the
  // function.
  std::string describe_network(const ModelBlob& model, const SessionOptions& options);
  std::string describe_capability(const ModelBlob& model, const SessionOptions& options);
  // The network, and its weights behind it.
  std::string describe_network_with_weights(const ModelBlob& model, const SessionOptions& options);
  std::string describe_engine(const ModelBlob& artefact, const SessionOptions& options);

 private:
  friend class BackendSession;
  using Deliverer = pgb_status(pgb_instance*, const pgb_model*, const pgb_session_options*,
                               pgb_bytes_fn, void*);

  // Throws the error of `status`; passes on queued messages.
  void finish(pgb_status status);
  const pgb_inspect& inspector() const;
  std::string deliver(Deliverer* from, const ModelBlob& model, const SessionOptions& options);
  // The same; `into` has the bytes before a failure, too.
  void deliver(Deliverer* from, const ModelBlob& model, const SessionOptions& options,
               std::string& into);

  const pgb_backend& backend_;
  std::unique_ptr<HostSide> host_;
  pgb_instance* instance_ = nullptr;
  std::unique_ptr<Info> info_;
};

}  // namespace polygraphy
