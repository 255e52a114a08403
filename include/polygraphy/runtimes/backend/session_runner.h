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
struct BackendLimits;
class PluginHost;

class SessionRunner : public Runner {
 public:
  // The source that each activation loads: a file, a generated model, or an artefact of the
  // library.
  struct Source {
    // the file, and the format of any source
    ModelSource file;
    std::function<graphsurgeon::Model()> make = {};  // empty: load `file`
    // empty: use `make` or `file`
    std::function<std::shared_ptr<const std::string>()> artefact = {};
  };
  // Each activation loads the result of `make`; edits of a ModelSource do not apply.
  static Source made_by(std::function<graphsurgeon::Model()> make);

  // activate() opens the library, prepares and loads the model. `host`, `backend` and `log` must
  // outlive the runner.
  SessionRunner(std::string name, PluginHost& host, const pgb_backend_options& backend,
                Source source, SessionOptions options, std::string library, Logger& log);
  ~SessionRunner() override;

  std::vector<NodeTime> node_times() override;
  std::string precision() override { return precision_; }

 private:
  void activate_impl() override;
  std::string model_name() const;  // in messages
  void load(BackendInstance& instance, ModelBlob model);
  // ModelSource::inline_refused. False: that is not wanted, or the copy is refused, too.
  bool load_inlined(BackendInstance& instance, const BackendLimits& limits,
                    const RunnerFailure& refusal);
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

// Named "<prefix>-N<count>-<date>-<time>"; the count is per prefix and host. activate() opens the
// library, prepares and loads the model.
std::unique_ptr<Runner> make_runner(PluginHost& host, const pgb_backend_options& backend,
                                    ModelSource model, SessionOptions options,
                                    const std::string& library, Logger& log);
// The same with a given name.
std::unique_ptr<Runner> make_named_runner(std::string name, PluginHost& host,
                                          const pgb_backend_options& backend, ModelSource model,
                                          SessionOptions options, const std::string& library,
                                          Logger& log);
// "<prefix>-N<count>-<date>-<time>", or without the last two.
std::string next_runner_name(PluginHost& host, const std::string& prefix, bool with_time = true);

}  // namespace polygraphy
