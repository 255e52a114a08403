// The runner of a back end: a model in a session, from activation to deactivation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/runner.h"
#include "polygraphy/runtimes/backend/session_options.h"

struct pgb_backend_options;

namespace polygraphy {

class BackendInstance;
class BackendSession;
class PluginHost;

class SessionRunner : public Runner {
 public:
  // What each activation loads: a file, a model that is made for it, or an artefact of the library.
  struct Source {
    ModelSource file;                                                   // its format, too
    std::function<graphsurgeon::Model()> make = {};                     // empty: the file counts
    std::function<std::shared_ptr<const std::string>()> artefact = {};  // empty: those count
  };
  // A model that `make` returns at each activation; nothing of a ModelSource applies to it.
  static Source made_by(std::function<graphsurgeon::Model()> make);

  // The library is opened, and the model prepared and loaded, on activation. `host`, `backend` and
  // `log` outlive the runner.
  SessionRunner(std::string name, PluginHost& host, const pgb_backend_options& backend,
                Source source, SessionOptions options, std::string library, Logger& log);
  ~SessionRunner() override;

  std::vector<NodeTime> node_times() override;
  std::string precision() override { return precision_; }

 private:
  void activate_impl() override;
  void load(BackendInstance& instance, ModelBlob model);
  void deactivate_impl() noexcept override;
  Metadata input_metadata_impl() override;
  Inference infer_impl(const ValueMap& feeds) override;

  PluginHost& host_;
  const pgb_backend_options& backend_;
  Source source_;
  SessionOptions options_;
  std::string library_;
  Logger& log_;
  std::unique_ptr<BackendSession> session_;
  std::string precision_;
};

// Named "<prefix>-N<count>-<date>-<time>"; the count is per prefix and host. The library is opened,
// and the model prepared and loaded, on activation.
std::unique_ptr<Runner> make_runner(PluginHost& host, const pgb_backend_options& backend,
                                    ModelSource model, SessionOptions options,
                                    const std::string& library, Logger& log);
// The same under a name of its own.
std::unique_ptr<Runner> make_named_runner(std::string name, PluginHost& host,
                                          const pgb_backend_options& backend, ModelSource model,
                                          SessionOptions options, const std::string& library,
                                          Logger& log);
// "<prefix>-N<count>-<date>-<time>".
std::string next_runner_name(PluginHost& host, const std::string& prefix);

}  // namespace polygraphy
