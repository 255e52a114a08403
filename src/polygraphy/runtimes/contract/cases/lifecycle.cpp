// Sessions and instances: again, side by side, cancelled; profiles; silence.

#include <chrono>
#include <thread>

#include "base/os/processes/standard_streams.h"
#include "polygraphy/runtimes/contract/contract_case.h"
#include "polygraphy/runtimes/contract/workbench.h"

namespace polygraphy::contract {
namespace {

constexpr std::string_view kNegate = "g (float[N] x) => (float[N] y) { y = Neg (x) }";
constexpr std::string_view kDouble = "g (float[N] x) => (float[N] y) { y = Add (x, x) }";

double first_of(const ValueMap& outputs) {
  return number(outputs, "y", 0);
}

ValueMap feed(float value) {
  return {{"x", array_of<float>({1}, {value})}};
}

void activate_again(Workbench& bench) {
  const auto runner = bench.runner({.path = bench.file(kNegate)});
  for (int i = 1; i <= 3; ++i) {
    ActiveRunner active(*runner);
    bench.number_is("y[0]", first_of(active.infer(feed(static_cast<float>(i)))), -i);
  }
}

void two_sessions_at_once(Workbench& bench) {
  const auto negate = bench.runner({.path = bench.file(kNegate, "a.onnx")});
  const auto twice = bench.runner({.path = bench.file(kDouble, "b.onnx")});
  ActiveRunner a(*negate), b(*twice);
  for (int i = 0; i < 3; ++i) {
    bench.number_is("y[0]", first_of(a.infer(feed(3))), -3);
    bench.number_is("y[0]", first_of(b.infer(feed(3))), 6);
  }
}

void two_instances_at_once(Workbench& bench) {
  Workbench other(bench.host().paths(), bench.runtime());
  const auto one = bench.session(kNegate);
  const auto two = other.session(kDouble);
  bench.number_is("y[0]", first_of(one->infer(feed(3)).outputs), -3);
  bench.number_is("y[0]", first_of(two->infer(feed(3)).outputs), 6);
}

void instances_by_library_path(Workbench& bench) {
  const std::shared_ptr<BackendInstance> found = bench.host().open(bench.runtime());
  const std::string path = found->info().library_path;
  const std::shared_ptr<BackendInstance> named = bench.host().open(bench.runtime(), path);
  bench.holds("an instance of a named library is a separate one", found != named);
  bench.holds("an instance is found again by the path of its library",
              bench.host().open(bench.runtime(), path) == named);
  bench.holds("an instance is found again", bench.host().open(bench.runtime()) == found);
  bench.text_is("info: library_path", named->info().library_path, path);
  bench.holds("info: library_version is set", !named->info().library_version.empty());
  bench.holds("info: devices are set", !named->info().devices.empty());
}

void instance_outlives_its_host(Workbench& bench) {
  std::unique_ptr<BackendSession> session;
  CaseLog log;
  {
    PluginHost host(bench.host().paths(), log.log());
    ModelBlob blob;
    const std::string bytes = encode(kNegate);
    blob.bytes = bytes;
    session = host.open(bench.runtime())->load(blob, {});
  }
  bench.number_is("y[0]", first_of(session->infer(feed(3)).outputs), -3);
}

// Large enough for a runtime to lend its own memory.
void outputs_outlive_the_session(Workbench& bench) {
  constexpr int64_t kSize = 1 << 20;
  std::vector<ValueMap> outputs;
  {
    const auto session = bench.session(kNegate);
    for (int i = 0; i < 2; ++i) {
      Array x = Array::zeros(DataType::kFloat32, {kSize});
      reinterpret_cast<float*>(x.mutable_data())[kSize - 1] = static_cast<float>(i + 1);
      Inference inference = session->infer({{"x", x}});
      bench.holds("an inference takes time", inference.seconds > 0);
      outputs.push_back(std::move(inference.outputs));
    }
  }
  for (int i = 0; i < 2; ++i) {
    const Array& y = tensor(outputs[static_cast<size_t>(i)], "y");
    bench.number_is("y[kSize - 1]", element(y, kSize - 1), -(i + 1));
    bench.number_is("y[0]", element(y, 0), 0);
  }
}

void model_bytes_may_go_after_loading(Workbench& bench) {
  // A weight of 1 MiB, so that a runtime that keeps views of the bytes would read the bytes that
  // are there now.
  std::string text = "g (float[N, 512] x) => (float[N, 512] y) <float[512, 512] w = {";
  for (int i = 0; i < 512 * 512; ++i) text += i ? ",1" : "1";
  std::string bytes = encode(text + "}> { y = MatMul (x, w) }");
  const auto session = bench.session_of_bytes(bytes);
  std::fill(bytes.begin(), bytes.end(), '\x7f');
  Array x = Array::zeros(DataType::kFloat32, {1, 512});
  reinterpret_cast<float*>(x.mutable_data())[3] = 2;
  bench.number_is("y[0]", number(session->infer({{"x", x}}).outputs, "y", 0), 2);
}

void feeds_stay_as_they_are(Workbench& bench) {
  const auto runner = bench.runner({.path = bench.file(kNegate)});
  ActiveRunner active(*runner);
  const Array x = array_of<float>({2}, {1, 2});
  const Array before = x.clone();
  active.infer({{"x", x}});
  bench.holds("the feeds are as before", bitwise_equal(x, before));
}

void same_feeds_same_bits(Workbench& bench) {
  const auto runner = bench.runner(
      {.path = bench.file(
           "g (float[64, 64] x) => (float[64, 64] y) { t = MatMul (x, x) y = Softmax (t) }")});
  ActiveRunner active(*runner);
  Array x = Array::uninitialized(DataType::kFloat32, {64, 64});
  for (int i = 0; i < 64 * 64; ++i) {
    reinterpret_cast<float*>(x.mutable_data())[i] = static_cast<float>(i % 97) / 97.0f;
  }
  const ValueMap first = active.infer({{"x", x}});
  const ValueMap second = active.infer({{"x", x}});
  bench.same_values("y of the second run", value(second, "y"), value(first, "y"));
}

void profile_of_the_last_run(Workbench& bench) {
  const auto session = bench.session(
      R"(<ir_version: 8, opset_import: ["": 17]> g (float[64, 64] x) => (float[64, 64] y) {
           [first] a = MatMul (x, x) [second] y = Softmax (a) })",
      {}, /*profile=*/true);
  Array x = Array::zeros(DataType::kFloat32, {64, 64});
  for (int run = 0; run < 2; ++run) {
    session->infer({{"x", x}});
    std::vector<std::string> nodes;
    double total = 0;
    for (const NodeTime& row : session->profile()) {
      nodes.push_back(row.node);
      total += row.microseconds;
      bench.holds("a node's time has an operator", !row.op.empty());
    }
    bench.holds("nodes take time", total > 0);
    bench.number_is("times of node first",
                    static_cast<double>(std::count(nodes.begin(), nodes.end(), "first")), 1);
    // Some name the node of an output after the output.
    bench.number_is("times of node second",
                    static_cast<double>(std::count(nodes.begin(), nodes.end(), "second") +
                                        std::count(nodes.begin(), nodes.end(), "y")),
                    1);
  }
}

void no_profile_unless_asked(Workbench& bench) {
  const auto session = bench.session(kNegate);
  session->infer(feed(1));
  bench.fails("profile() of a session without the option", error_of([&] { session->profile(); }));
}

void cancelled_before_loading(Workbench& bench) {
  bench.stop = true;
  bench.text_is("load() that is cancelled", error_of([&] { bench.session(kNegate); }),
                "interrupted");
  bench.stop = false;
  bench.text_is("load() afterwards", error_of([&] { bench.session(kNegate); }), "no error");
}

// Ten seconds of work without a cancellation.
void cancelled_while_running(Workbench& bench) {
  std::string text = "g (float[1024, 1024] x) => (float[1024, 1024] y) {\n t0 = MatMul (x, x)\n";
  for (int i = 1; i < 400; ++i) {
    const std::string before = std::to_string(i - 1), now = std::to_string(i);
    text += " t" + now + " = MatMul (t" + before + ", x)\n";
  }
  const auto session = bench.session(text + " y = Relu (t399) }");
  const ValueMap feeds = {{"x", Array::zeros(DataType::kFloat32, {1024, 1024})}};
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    bench.stop = true;
  });
  bench.text_is("infer() that is cancelled", error_of([&] { session->infer(feeds); }),
                "interrupted");
  stopper.join();
}

void usable_after_cancellation(Workbench& bench) {
  const auto session = bench.session(kNegate);
  bench.stop = true;
  error_of([&] { session->infer(feed(1)); });  // may finish first
  bench.stop = false;
  bench.number_is("y[0]", first_of(session->infer(feed(3)).outputs), -3);
}

// Runtimes print their messages to the log only.
void nothing_on_stdout_and_stderr(Workbench& bench) {
  StandardStreams capture(bench.folder() / "printed");
  {
    Workbench loud(bench.host().paths(), bench.runtime());
    loud.log().log().set_severity(Severity::kUltraVerbose);
    // An unused initializer, and one that is an input: runtimes remark on both.
    const auto session = loud.session(
        "<ir_version: 8, opset_import: [\"\": 17]> g (float[1] x, float[1] w) => (float[1] y) "
        "<float[1] w = {2}, float[1] unused = {3}> { y = Add (x, w) }");
    session->infer(feed(1));
    error_of([&] { loud.session_of_bytes("no model"); });
  }
  bench.text_is("standard output and standard error", capture.take(), "");
}

std::vector<Case> case_list() {
  return {{"lifecycle/activate_again", activate_again},
          {"lifecycle/two_sessions_at_once", two_sessions_at_once},
          {"lifecycle/two_instances_at_once", two_instances_at_once},
          {"lifecycle/instances_by_library_path", instances_by_library_path},
          {"lifecycle/instance_outlives_its_host", instance_outlives_its_host},
          {"lifecycle/outputs_outlive_the_session", outputs_outlive_the_session},
          {"lifecycle/model_bytes_may_go_after_loading", model_bytes_may_go_after_loading},
          {"lifecycle/feeds_stay_as_they_are", feeds_stay_as_they_are},
          {"lifecycle/same_feeds_same_bits", same_feeds_same_bits},
          {"lifecycle/profile_of_the_last_run", profile_of_the_last_run},
          {"lifecycle/no_profile_unless_asked", no_profile_unless_asked},
          {"lifecycle/cancelled_before_loading", cancelled_before_loading},
          {"lifecycle/cancelled_while_running", cancelled_while_running},
          {"lifecycle/usable_after_cancellation", usable_after_cancellation},
          {"lifecycle/nothing_on_stdout_and_stderr", nothing_on_stdout_and_stderr}};
}

}  // namespace

extern constinit const CaseGroup case_group_lifecycle = {.cases = case_list};

}  // namespace polygraphy::contract
