#include "polygraphy/lint/lint_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/backend/bundled_runtime.h"
#include "polygraphy/worker/worker_client.h"

namespace polygraphy {

struct LintBackend::State {
  State(PluginPaths paths, BackendOptions session_options, Logger& log, CancelToken token)
      : messages(log),
        cancel(token),
        apart_paths(bundled_only(paths)),
        runtime(std::move(paths), listener(log), token),
        options{.options = std::move(session_options), .single_run = true, .verbatim = true} {
    // Fusing and laying out anew cost more than one run gains, and the nodes that run should be
    // those of the model. With nothing at all, planning memory takes time that grows with the
    // square of the nodes.
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

  // Only while the runtime is at work: messages of this program are no findings.
  bool collects = false;
  std::vector<std::string> warnings;
  Logger& messages;
  CancelToken cancel;
  PluginPaths apart_paths;
  BundledRuntime runtime;
  SessionOptions options;
};

namespace {

class Collecting {
 public:
  explicit Collecting(bool& flag) : flag_(flag) { flag_ = true; }
  ~Collecting() { flag_ = false; }
  Collecting(const Collecting&) = delete;
  Collecting& operator=(const Collecting&) = delete;

 private:
  bool& flag_;
};

// What the back end throws of the model, told apart from options that it refuses.
template <typename Work>
auto in_backend(Work work) {
  try {
    return work();
  } catch (const Interrupted&) {
    throw;
  } catch (const OptionError&) {
    throw;
  } catch (const Error& error) {
    throw LintBackend::Refusal(error.what(), error.hint());
  }
}

}  // namespace

LintBackend::LintBackend(PluginPaths paths, BackendOptions options, Logger& log, CancelToken cancel)
    : state_(std::make_unique<State>(std::move(paths), std::move(options), log, cancel)) {}
LintBackend::~LintBackend() = default;

std::unique_ptr<BackendSession> LintBackend::load(const graphsurgeon::Model& model, bool small) {
  state_->runtime.open();
  SessionOptions options = state_->options;
  if (small) options.options.emplace_back("threads", std::vector<std::string>{"1"});
  return in_backend([&] {
    const Collecting collecting(state_->collects);
    return state_->runtime.load(model, options,
                                small ? "loaded one of the nodes" : "loaded the model");
  });
}

ValueMap LintBackend::run(BackendSession& session, const ValueMap& feed) {
  return in_backend([&] {
    const Collecting collecting(state_->collects);
    return run_model(session, feed);
  });
}

void LintBackend::run_apart(const std::string& program, const std::string& path,
                            const std::function<const ValueMap&(const Metadata&)>& feed) {
  constexpr std::string_view kRunner = "lint", kWho = "lint | ";
  const std::unique_ptr<Logger> log = state_->listener(state_->messages);
  const Collecting collecting(state_->collects);
  WorkerClient worker(program,
                      {.runner = std::string(kRunner),
                       .backend = "onnxrt",
                       .model = {.path = path},
                       .options = state_->options,
                       .paths = state_->apart_paths},
                      *log);
  worker.set_cancel(state_->cancel);
  try {
    worker.begin_load();
    static_cast<void>(worker.infer(feed(worker.finish_load())));
  } catch (const WorkerDied& error) {
    std::string_view text = error.what();
    if (text.starts_with(kWho)) text.remove_prefix(kWho.size());
    throw Crash(
        fmt::format("{}. `polygraphy debug reduce MODEL -o reduced.onnx --mode auto "
                    "--check-crash onnxrt` finds the node.",
                    text));
  } catch (const RunnerFailure& error) {
    throw Refusal(error.what(), error.hint());
  }
  worker.stop();
}

std::vector<std::string> LintBackend::take_warnings() {
  return std::exchange(state_->warnings, {});
}

}  // namespace polygraphy
