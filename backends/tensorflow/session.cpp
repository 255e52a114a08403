#include "tensorflow/session.h"

#include <chrono>
#include <filesystem>

#include "common/files.h"
#include "tensorflow/values.h"
#include "tensorflow/wire/messages.h"

namespace tensorflow {
namespace {

constexpr const char* kModule = "backend/tf/loader.py";
constexpr const char* kRunnerModule = "backend/tf/runner.py";

// Throws Failure for requests that this TensorFlow cannot meet for any model.
void refuse_tensorrt(const pgb::Options& options) {
  if (!options.has("tftrt")) return;
  throw pgb::bad_option("--tftrt: TensorRT within TensorFlow is not available here",
                        "Run the model on TensorRT itself: `polygraphy run MODEL --trt`.");
}

std::string event_file_name(double seconds) {
  char host[256] = "localhost";
  gethostname(host, sizeof(host) - 1);
  return "events.out.tfevents." + std::to_string(static_cast<int64_t>(seconds)) + "." + host;
}

}  // namespace

Session::Session(const Library& library, const pgb::Host& host, const pgb_model& model,
                 const pgb::Options& options)
    : library_(library),
      host_(host),
      model_((refuse_tensorrt(options), library), host_, model, options),
      timelines_(options.value("save_timeline").value_or("")),
      watch_(host) {
  profiling_ = options.session().profile != 0 || !timelines_.empty();
  if (!timelines_.empty())
    host_.log(pgb::kWarning, kRunnerModule, "Profiling is enabled. This will impact performance");
  save_graph(options);
}

void Session::save_graph(const pgb::Options& options) const {
  const auto path = options.value("save_pb");
  const auto folder = options.value("save_tensorboard");
  if (!path && !folder) return;
  const std::string graph = model_.graph().graph_def();
  if (path) {
    host_.log(pgb::kInfo, kModule, "Saving graph to " + *path);
    pgb::write_file_atomically(*path, graph.data(), graph.size());
  }
  if (folder) {
    host_.log(pgb::kInfo, kModule, "Writing tensorboard events to " + *folder);
    const double now =
        std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    const std::string events = event_file(graph, now);
    pgb::write_file_atomically(std::filesystem::path(*folder) / event_file_name(now), events.data(),
                               events.size());
  }
}

// The feeds and fetches of one inference.
struct Session::Request {
  std::vector<FedTensor> fed;
  std::vector<Output> inputs, fetched;
  std::vector<TF_Tensor*> values;
  // Of the model's outputs: the feed, of one that is an input, too, which TensorFlow does not
  // fetch; null: it is the next of `fetched`.
  std::vector<const pgb_value*> passed_on;
};

Session::Request Session::request_for(const pgb_named_value* feeds, size_t count) const {
  Request request;
  const std::vector<const pgb_value*> given = pgb::fed_values(model_.inputs(), feeds, count);
  for (size_t i = 0; i < given.size(); ++i) {
    const Port& input = model_.inputs()[i];
    try {
      request.fed.push_back(to_tensorflow(library_, *given[i]));
    } catch (const pgb::Failure& failure) {
      throw pgb::Failure("input '" + input.name + "': " + failure.what(), {}, failure.status());
    }
    request.inputs.push_back(input.output);
    request.values.push_back(request.fed.back().tensor.get());
  }
  for (const Port& output : model_.outputs()) {
    const pgb_value*& passed_on = request.passed_on.emplace_back(nullptr);
    for (size_t i = 0; i < request.inputs.size(); ++i) {
      if (request.inputs[i].operation == output.output.operation &&
          request.inputs[i].index == output.output.index) {
        passed_on = given[i];
      }
    }
    if (!passed_on) request.fetched.push_back(output.output);
  }
  return request;
}

void Session::infer(const pgb_named_value* feeds, size_t count, pgb_output_fn deliver,
                    void* context) {
  if (closed_) throw pgb::cancelled();
  const Request request = request_for(feeds, count);
  const std::vector<TF_Tensor*> results = run(request);
  auto next = results.begin();
  bool wanted = true;
  std::string failed;
  for (size_t i = 0; i < request.passed_on.size(); ++i) {
    const std::string& name = model_.outputs()[i].name;
    if (const pgb_value* feed = request.passed_on[i]) {
      wanted = wanted && deliver(context, name.c_str(), feed) == 0;
      continue;
    }
    try {
      const DeliveredTensor tensor(library_, *next++);  // which takes each of them
      wanted = wanted && deliver(context, name.c_str(), &tensor.value()) == 0;
    } catch (const pgb::Failure& failure) {
      if (failed.empty()) failed = "output '" + name + "': " + failure.what();
    }
  }
  if (!failed.empty()) throw pgb::Failure(failed, {}, PGB_UNSUPPORTED);
  save_timeline();
}

std::vector<TF_Tensor*> Session::run(const Request& request) {
  const Api& api = library_.api();
  std::vector<TF_Tensor*> results(request.fetched.size(), nullptr);
  if (results.empty()) return results;
  const Owned<Buffer> run_options =
      make_buffer(library_, profiling_ ? encode_tracing() : std::string());
  const Owned<Buffer> metadata = make_buffer(library_);
  const Status status(library_);
  watch_.during(
      [&] {
        const Status ignored(library_);
        closed_ = true;
        api.CloseSession(model_.session(), ignored.get());
      },
      [&] {
        api.SessionRun(model_.session(), profiling_ ? run_options.get() : nullptr,
                       request.inputs.data(), request.values.data(),
                       static_cast<int>(request.inputs.size()), request.fetched.data(),
                       results.data(), static_cast<int>(results.size()), nullptr, 0,
                       profiling_ ? metadata.get() : nullptr, status.get());
      });
  if (!status.ok() && host_.is_cancelled()) throw pgb::cancelled();
  status.check();
  if (profiling_) nodes_ = read_step_stats(bytes_of(metadata));
  return results;
}

void Session::save_timeline() {
  if (timelines_.empty()) return;
  const std::string text = timeline(nodes_);
  pgb::write_file_atomically(
      std::filesystem::path(timelines_) / ("run-" + std::to_string(inferences_++)), text.data(),
      text.size());
}

void Session::profile(pgb_node_time_fn row, void* context) {
  if (!profiling_) throw pgb::Failure("the session was loaded without the option 'profile'");
  for (const TimedNode& node : nodes_) {
    pgb::deliver_time(row, context, node.name.c_str(), node.op.c_str(), node.device.c_str(),
                      static_cast<double>(node.nanoseconds) / 1000);
  }
}

}  // namespace tensorflow
