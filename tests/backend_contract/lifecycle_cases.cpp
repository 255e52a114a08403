// Sessions and instances: again, side by side, cancelled; profiles; silence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/error.h"
#include "contract.h"

namespace polygraphy::contract {
namespace {

using testing::Contains;

constexpr std::string_view kNegate = "g (float[N] x) => (float[N] y) { y = Neg (x) }";
constexpr std::string_view kDouble = "g (float[N] x) => (float[N] y) { y = Add (x, x) }";

double first_of(const ValueMap& outputs) {
  return outputs.find("y")->tensor().get_double(0);
}

ValueMap feed(float value) {
  return {{"x", array_of<float>({1}, {value})}};
}

void activate_again(Bench& bench) {
  const auto runner = bench.runner({.path = bench.file(kNegate)});
  for (int i = 1; i <= 3; ++i) {
    ActiveRunner active(*runner);
    EXPECT_EQ(first_of(active.infer(feed(static_cast<float>(i)))), -i);
  }
}

void two_sessions_at_once(Bench& bench) {
  const auto negate = bench.runner({.path = bench.file(kNegate, "a.onnx")});
  const auto twice = bench.runner({.path = bench.file(kDouble, "b.onnx")});
  ActiveRunner a(*negate), b(*twice);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(first_of(a.infer(feed(3))), -3);
    EXPECT_EQ(first_of(b.infer(feed(3))), 6);
  }
}

void two_instances_at_once(Bench& bench) {
  Bench other(bench.runtime());
  const auto one = bench.session(kNegate);
  const auto two = other.session(kDouble);
  EXPECT_EQ(first_of(one->infer(feed(3)).outputs), -3);
  EXPECT_EQ(first_of(two->infer(feed(3)).outputs), 6);
}

void instances_by_library_path(Bench& bench) {
  const std::shared_ptr<BackendInstance> found = bench.host().open(bench.runtime());
  const std::string path = found->info().library_path;
  const std::shared_ptr<BackendInstance> named = bench.host().open(bench.runtime(), path);
  EXPECT_NE(found, named);
  EXPECT_EQ(bench.host().open(bench.runtime(), path), named);
  EXPECT_EQ(bench.host().open(bench.runtime()), found);
  EXPECT_EQ(named->info().library_path, path);
  EXPECT_FALSE(named->info().library_version.empty());
  EXPECT_FALSE(named->info().devices.empty());
}

void instance_outlives_its_host(Bench& bench) {
  std::unique_ptr<BackendSession> session;
  RecordingLog log;
  {
    PluginHost host(test_paths(), log.log());
    ModelBlob blob;
    const std::string bytes = encode(kNegate);
    blob.bytes = bytes;
    session = host.open(bench.runtime())->load(blob, {});
  }
  EXPECT_EQ(first_of(session->infer(feed(3)).outputs), -3);
}

// Large enough for a runtime to lend its own memory.
void outputs_outlive_the_session(Bench& bench) {
  constexpr int64_t kSize = 1 << 20;
  std::vector<ValueMap> outputs;
  {
    const auto session = bench.session(kNegate);
    for (int i = 0; i < 2; ++i) {
      Array x = Array::zeros(DataType::kFloat32, {kSize});
      reinterpret_cast<float*>(x.mutable_data())[kSize - 1] = static_cast<float>(i + 1);
      Inference inference = session->infer({{"x", x}});
      EXPECT_GT(inference.seconds, 0);
      outputs.push_back(std::move(inference.outputs));
    }
  }
  for (int i = 0; i < 2; ++i) {
    const Array& y = outputs[static_cast<size_t>(i)].find("y")->tensor();
    EXPECT_EQ(y.get_double(kSize - 1), -(i + 1));
    EXPECT_EQ(y.get_double(0), 0);
  }
}

void model_bytes_may_go_after_loading(Bench& bench) {
  // A weight of 1 MiB, so that a runtime that keeps views of the bytes would read what is there
  // now.
  std::string text = "g (float[N, 512] x) => (float[N, 512] y) <float[512, 512] w = {";
  for (int i = 0; i < 512 * 512; ++i) text += i ? ",1" : "1";
  std::string bytes = encode(text + "}> { y = MatMul (x, w) }");
  const auto session = bench.session_of_bytes(bytes);
  std::fill(bytes.begin(), bytes.end(), '\x7f');
  Array x = Array::zeros(DataType::kFloat32, {1, 512});
  reinterpret_cast<float*>(x.mutable_data())[3] = 2;
  EXPECT_EQ(session->infer({{"x", x}}).outputs.find("y")->tensor().get_double(0), 2);
}

void feeds_stay_as_they_are(Bench& bench) {
  const auto runner = bench.runner({.path = bench.file(kNegate)});
  ActiveRunner active(*runner);
  const Array x = array_of<float>({2}, {1, 2});
  const Array before = x.clone();
  active.infer({{"x", x}});
  EXPECT_TRUE(bitwise_equal(x, before));
}

void same_feeds_same_bits(Bench& bench) {
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
  EXPECT_TRUE(bitwise_equal(*first.find("y"), *second.find("y")));
}

void profile_of_the_last_run(Bench& bench) {
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
      EXPECT_FALSE(row.op.empty());
    }
    EXPECT_GT(total, 0) << "run " << run;
    EXPECT_EQ(std::count(nodes.begin(), nodes.end(), "first"), 1) << "run " << run;
    // Some name the node of an output after the output.
    EXPECT_EQ(std::count(nodes.begin(), nodes.end(), "second") +
                  std::count(nodes.begin(), nodes.end(), "y"),
              1)
        << "run " << run;
  }
}

void no_profile_unless_asked(Bench& bench) {
  const auto session = bench.session(kNegate);
  session->infer(feed(1));
  EXPECT_NE(error_of([&] { session->profile(); }), "no error");
}

void cancelled_before_loading(Bench& bench) {
  bench.stop = true;
  EXPECT_EQ(error_of([&] { bench.session(kNegate); }), "interrupted");
  bench.stop = false;
  EXPECT_EQ(error_of([&] { bench.session(kNegate); }), "no error");
}

// Ten seconds of work when nobody stops it.
void cancelled_while_running(Bench& bench) {
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
  EXPECT_EQ(error_of([&] { session->infer(feeds); }), "interrupted");
  stopper.join();
}

void usable_after_cancellation(Bench& bench) {
  const auto session = bench.session(kNegate);
  bench.stop = true;
  error_of([&] { session->infer(feed(1)); });  // may finish first
  bench.stop = false;
  EXPECT_EQ(first_of(session->infer(feed(3)).outputs), -3);
}

// Standard output and error while it lives.
class Capture {
 public:
  Capture() {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
  }
  ~Capture() {
    if (capturing_) take();
  }
  std::string take() {
    capturing_ = false;
    return testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
  }

 private:
  bool capturing_ = true;
};

// Whatever the runtime wants to say goes through the log.
void nothing_on_stdout_and_stderr(Bench& bench) {
  Capture capture;
  {
    Bench loud(bench.runtime());
    loud.log().log().set_severity(Severity::kUltraVerbose);
    // An initializer that nobody uses, and one that is an input: runtimes remark on both.
    const auto session = loud.session(
        "<ir_version: 8, opset_import: [\"\": 17]> g (float[1] x, float[1] w) => (float[1] y) "
        "<float[1] w = {2}, float[1] unused = {3}> { y = Add (x, w) }");
    session->infer(feed(1));
    error_of([&] { loud.session_of_bytes("no model"); });
  }
  EXPECT_EQ(capture.take(), "");
}

}  // namespace

std::vector<Case> lifecycle_cases() {
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

}  // namespace polygraphy::contract
