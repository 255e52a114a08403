#include "polygraphy/model_tools/lint/lint_backend.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/log_modules.h"
#include "base/os/scratch_folder.h"
#include "base/text.h"
#include "graphsurgeon/io/save.h"
#include "polygraphy/model_tools/lint/lint.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/worker/worker_client.h"

namespace polygraphy {
namespace {

constexpr std::string_view kRunner = "lint", kWho = "lint | ";

}  // namespace

struct LintBackend::State {
  State(const RunnerSpec& runner, const RunnerTools& tools, Logger& log)
      : messages(log),
        cancel(tools.cancel),
        program(tools.program),
        timeout(runner.timeout.value_or(kLintTimeout)),
        apart_paths(bundled_only(tools.paths)),
        runtime(tools.paths, listener(log), tools.cancel),
        options{.options = runner.session.options, .single_run = true, .verbatim = true} {
    // Fusion and layout changes cost more than one run gains, and the executed nodes should be the
    // model's. Without any optimization, memory planning is quadratic in the nodes.
    BackendOptions& typed = options.options;
    const auto level = std::find_if(typed.begin(), typed.end(), [](const auto& option) {
      return option.first == "graph_optimization_level";
    });
    if (level == typed.end()) {
      typed.emplace_back("graph_optimization_level", std::vector<std::string>{"ORT_ENABLE_BASIC"});
    }
  }

  std::unique_ptr<Logger> listener(Logger& log) {
    return std::make_unique<Logger>([this, &log](Severity severity, std::string_view text) {
      text.remove_prefix(4);  // "[W] ", which the listening logger has put before it
      log.verbose(log_modules::kLint, text);
      if (severity < Severity::kWarning || !collects) return;
      for (const std::string_view line : split_lines(text)) {
        if (!line.empty()) warnings.emplace_back(line);
      }
    });
  }

  // In one folder, since making one looks for leftovers of other processes.
  std::string save_node(const graphsurgeon::Model& model) {
    if (!folder) folder.emplace(temporary_folder() + "/.polygraphy-model.");
    std::string path = *folder / "node.onnx";
    graphsurgeon::SaveOptions saving;
    saving.external_data = "";
    saving.durability = Durability::kNone;
    graphsurgeon::save_model(model, path, saving);
    return path;
  }

  // "threads": null for the runtime's choice.
  std::unique_ptr<WorkerClient> start_worker(Logger& log, const char* threads = nullptr) const {
    SessionOptions typed = options;
    if (threads) typed.options.emplace_back("threads", std::vector<std::string>{threads});
    auto worker = std::make_unique<WorkerClient>(program,
                                                 WorkerRequest{.runner = std::string(kRunner),
                                                               .backend = "onnxrt",
                                                               .options = std::move(typed),
                                                               .paths = apart_paths},
                                                 log);
    worker->set_cancel(cancel);
    worker->set_timeout(timeout);
    return worker;
  }

  // Only while the runtime is at work: messages of this program are not findings.
  bool collects = false;
  std::vector<std::string> warnings;
  Logger& messages;
  CancelToken cancel;
  std::string program;
  double timeout;
  PluginPaths apart_paths;
  BundledRuntime runtime;
  SessionOptions options;
  std::optional<ScratchFolder> folder;  // of models of a node
  std::unique_ptr<Logger> node_log;
  std::unique_ptr<WorkerClient> node_worker;
};

namespace {

class CollectScope {
 public:
  explicit CollectScope(bool& flag) : flag_(flag) { flag_ = true; }
  ~CollectScope() { flag_ = false; }
  CollectScope(const CollectScope&) = delete;
  CollectScope& operator=(const CollectScope&) = delete;

 private:
  bool& flag_;
};

std::string without_runner(std::string_view text) {
  if (text.starts_with(kWho)) text.remove_prefix(kWho.size());
  return std::string(text);
}

// Distinguishes errors of the model from refused options, and from a machine that lacks something.
template <typename Work>
auto in_backend(Work work) {
  try {
    return work();
  } catch (const Interrupted&) {
    throw;
  } catch (const OptionError&) {
    throw;
  } catch (const IoError&) {
    throw;
  } catch (const WorkerDied& error) {
    throw LintBackend::Crash(without_runner(error.what()));
  } catch (const WorkerTookTooLong& error) {
    throw LintBackend::TimeUp(without_runner(error.what()), error.hint());
  } catch (const Error& error) {
    throw LintBackend::Refusal(error.what(), error.hint());
  }
}

}  // namespace

namespace {

// The runtime's own words, without the runner's prefix, and without words about files.
std::string own_words(std::string_view text, const std::string& path) {
  for (const std::string& prefix : {std::string(kWho), "onnxrt cannot load " + path + ": ",
                                    "onnxrt failed to run " + path + ": "}) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  }
  std::string words(text);
  const std::string of_file = "Load model from " + path + " failed:";
  if (const size_t at = words.find(of_file); at != std::string::npos)
    words.erase(at, of_file.size());
  return words;
}

}  // namespace

LintBackend::LintBackend(const RunnerSpec& runner, const RunnerTools& tools, Logger& log)
    : state_(std::make_unique<State>(runner, tools, log)) {}
LintBackend::~LintBackend() = default;

std::unique_ptr<BackendSession> LintBackend::load(const graphsurgeon::Model& model) {
  state_->runtime.open();
  return in_backend([&] {
    const CollectScope scope(state_->collects);
    return state_->runtime.load(model, state_->options, "loaded the model");
  });
}

ValueMap LintBackend::run(BackendSession& session, const ValueMap& feed) {
  return in_backend([&] {
    const CollectScope scope(state_->collects);
    return run_model(session, feed);
  });
}

void LintBackend::run_apart(const std::string& path,
                            const std::function<const ValueMap&(const Metadata&)>& feed) {
  const std::unique_ptr<Logger> log = state_->listener(state_->messages);
  const CollectScope scope(state_->collects);
  const std::unique_ptr<WorkerClient> worker = state_->start_worker(*log);
  const Metadata inputs = in_backend([&] {
    worker->begin_load(path);
    return worker->finish_load();
  });
  const ValueMap& values = feed(inputs);  // its errors are not the model's
  in_backend([&] { static_cast<void>(worker->infer(values)); });
  worker->stop();
}

ValueMap LintBackend::run_node_here(const graphsurgeon::Model& model, const ValueMap& feed) {
  state_->runtime.open();
  SessionOptions options = state_->options;
  options.options.emplace_back("threads", std::vector<std::string>{"1"});
  return in_backend([&] {
    const CollectScope scope(state_->collects);
    const auto session = state_->runtime.load(model, options, "loaded one of the nodes");
    return run_model(*session, feed);
  });
}

ValueMap LintBackend::run_node(const graphsurgeon::Model& model, const ValueMap& feed) {
  if (state_->program.empty()) return run_node_here(model, feed);
  std::string path;
  try {
    path = state_->save_node(model);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {  // the runtime's message names the missing part
    return run_node_here(model, feed);
  }
  if (!state_->node_worker) {
    state_->node_log = state_->listener(state_->messages);
    state_->node_worker = state_->start_worker(*state_->node_log, "1");
  }
  const CollectScope scope(state_->collects);
  try {
    return in_backend([&] {
      state_->node_worker->begin_load(path);
      static_cast<void>(state_->node_worker->finish_load());
      return state_->node_worker->infer(feed).outputs;
    });
  } catch (const Refusal& error) {
    throw Refusal(own_words(error.what(), path), error.hint());
  }
}

std::vector<std::string> LintBackend::take_warnings() {
  return std::exchange(state_->warnings, {});
}

}  // namespace polygraphy
