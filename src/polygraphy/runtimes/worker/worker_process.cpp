#include "polygraphy/runtimes/worker/worker_process.h"

#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/os/files/descriptor.h"
#include "base/os/process_memory.h"
#include "base/os/processes/this_process.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/backend_status.h"
#include "polygraphy/runtimes/backend/compile.h"
#include "polygraphy/runtimes/backend/instance.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/backend/session_runner.h"
#include "polygraphy/runtimes/backend/shared_heap.h"
#include "polygraphy/runtimes/worker/shared_tensors.h"
#include "polygraphy/runtimes/worker/worker_message.h"
#include "polygraphy/runtimes/worker/worker_request.h"

namespace polygraphy {
namespace {

constexpr size_t kKept = size_t{32} << 20;  // bytes, of the memory of one model for the next

class RunnerProcess {
 public:
  explicit RunnerProcess(int socket) : socket_(socket) {
    log_.set_relay([this](Severity severity, std::string_view module, std::string_view text,
                          Once once, int levels) {
      FieldWriter fields;
      fields.put(severity);
      fields.put(module);
      fields.put(text);
      fields.put(once);
      fields.put(levels);
      socket_.send(WorkerTopic::kLog, fields);
    });
  }

  int run() {
    while (const auto message = socket_.wait_for_next()) {
      if (message->topic == WorkerTopic::kStop) break;
      answer(*message);
    }
    if (runner_ && runner_->active()) runner_->deactivate();
    return 0;
  }

 private:
  void answer(const WorkerMessage& message) {
    try {
      FieldReader fields(message.fields);
      if (message.topic == WorkerTopic::kStart) {
        start(fields);
      } else if (message.topic == WorkerTopic::kVersionOfLibrary) {
        version(fields);
      } else if (message.topic == WorkerTopic::kCompile) {
        compile(fields);
      } else if (message.topic == WorkerTopic::kInfer) {
        infer(fields);
      } else if (message.topic == WorkerTopic::kUnload) {
        runner_.reset();
        heap_.trim(kKept);
        socket_.send(WorkerTopic::kUnloaded, {});
      } else {
        time();
      }
    } catch (const Interrupted& error) {
      fail(WorkerError::kInterrupted, error);
    } catch (const RunnerFailure& error) {
      fail(WorkerError::kRunnerFailure, error);
    } catch (const OptionError& error) {
      fail(WorkerError::kOptionError, error);
    } catch (const Error& error) {
      fail(error.code() == kNotAvailable ? WorkerError::kUnavailable : WorkerError::kError, error);
    } catch (const std::bad_alloc&) {
      fail(
          WorkerError::kRunnerFailure,
          Error("not enough memory", "Use a smaller model or smaller inputs, or raise the limit."));
    } catch (const std::exception& error) {
      fail(WorkerError::kRunnerFailure, Error(error.what()));
    }
  }

  void fail(WorkerError kind, const Error& error) {
    FieldWriter fields;
    fields.put(kind);
    fields.put(std::string_view(error.what()));
    fields.put(error.hint());
    socket_.send(WorkerTopic::kFailed, fields);
  }

  // The next calibration batch of the other side.
  std::optional<ValueMap> ask_for_batch(const Metadata& inputs, bool first) {
    FieldWriter fields;
    fields.put(first);
    fields.put(inputs);
    socket_.send(WorkerTopic::kCalibrate, fields);
    const auto message = socket_.wait_for_next();
    if (!message || message->topic != WorkerTopic::kBatch) throw Interrupted();
    FieldReader answer(message->fields);
    if (const int fd = socket_.take_descriptor(); fd >= 0) feeds_.emplace(fd);
    const int count = answer.get<int>();
    if (count == 1) return feeds_->get(answer);
    if (count == 0) return std::nullopt;
    throw Error("could not read the calibration data");  // the other side knows why
  }

  const pgb_backend_options& open(WorkerRequest& request) {
    runner_.reset();
    if (request.calibrates)
      request.options.calibration = [this](const Metadata& inputs, bool first, const auto&) {
        return ask_for_batch(inputs, first);
      };
    for (const auto& [path, severity] : request.thresholds) log_.set_severity(path, severity);
    // The same client, the same paths: the library stays open.
    if (!host_) {
      host_ = std::make_unique<PluginHost>(std::move(request.paths), log_);
      host_->outputs_in(heap_);
    }
    return *host_->catalog().get(request.backend).options;
  }

  void version(FieldReader& fields) {
    WorkerRequest request;
    fields.get(request.fields());
    const pgb_backend_options& backend = open(request);
    FieldWriter sent;
    sent.put(host_->open(backend.name, request.library)->info().library_version);
    socket_.send(WorkerTopic::kLibrary, sent);
  }

  void compile(FieldReader& fields) {
    WorkerRequest request;
    fields.get(request.fields());
    const auto wanted = fields.get<Compilation>();
    const auto path = fields.get<std::string>();
    const pgb_backend_options& backend = open(request);
    FieldWriter sent;
    sent.put(polygraphy::compile(wanted, *host_, backend, request.model, request.options,
                                 request.library, log_, path));
    socket_.send(WorkerTopic::kCompiled, sent);
  }

  void start(FieldReader& fields) {
    WorkerRequest request;
    fields.get(request.fields());
    if (const int fd = socket_.take_descriptor(); fd >= 0) feeds_.emplace(fd);
    const pgb_backend_options& backend = open(request);
    runner_ =
        make_named_runner(std::move(request.runner), *host_, backend, std::move(request.model),
                          std::move(request.options), request.library, log_);
    runner_->activate();
    FieldWriter answer;
    answer.put(runner_->input_metadata());
    answer.put(runner_->precision());
    answer.put(host_->open(request.backend, request.library)->info().library_version);
    socket_.send(WorkerTopic::kActive, answer);
  }

  void infer(FieldReader& fields) {
    outputs_.release(fields.get<std::vector<uint64_t>>());
    ValueMap outputs = runner_->infer(feeds_->get(fields));
    FieldWriter answer;
    answer.put(runner_->last_inference_seconds());
    outputs_.put(std::move(outputs), answer);
    socket_.send(WorkerTopic::kOutputs, answer, std::exchange(heap_sent_, true) ? -1 : heap_.fd());
  }

  void time() {
    FieldWriter answer;
    const std::vector<NodeTime> times = runner_->node_times();
    answer.put(static_cast<uint64_t>(times.size()));
    for (const NodeTime& each : times)
      answer.put(std::tie(each.node, each.op, each.kernel, each.microseconds));
    socket_.send(WorkerTopic::kTimes, answer);
  }

  WorkerSocket socket_;
  Logger log_;
  SharedHeap heap_;
  bool heap_sent_ = false;
  std::unique_ptr<PluginHost> host_;
  std::unique_ptr<Runner> runner_;
  std::optional<SharedTensorImporter> feeds_;
  SharedTensorExporter outputs_{heap_};  // destroyed before the runtime: it may hold outputs of it
};

}  // namespace

int run_runner_process(int socket) {
  volunteer_for_the_oom_killer();
  end_with_parent();
  try {
    return RunnerProcess(socket).run();
  } catch (const Error& error) {
    // The other side reads it as the last words.
    write_all(kStandardError, std::string(error.what()) + "\n");
    return 1;
  }
}

}  // namespace polygraphy
