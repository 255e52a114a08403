// TensorFlow's models on TensorFlow: the suite's own are ONNX.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "base/error.h"
#include "bench.h"
#include "polygraphy/runtimes/backend/session_runner.h"

namespace polygraphy::contract {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kModels = PG_SOURCE_DIR "/backends/tensorflow/testdata/";
const ModelSource kFrozen = {.path = kModels + "frozen.pb", .format = "frozen"};
const ModelSource kSavedModel = {.path = kModels + "saved_model", .format = "saved_model"};
const ModelSource kCheckpoint = {.path = kModels + "checkpoint", .format = "ckpt"};

std::vector<double> numbers_of(const Value* value) {
  std::vector<double> numbers;
  for (int64_t i = 0; value && i < value->tensor().size(); ++i)
    numbers.push_back(value->tensor().get_double(i));
  return numbers;
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class TensorFlow : public testing::Test {
 protected:
  void SetUp() override {
    try {
      bench_.host().open("tensorflow");
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
  ValueMap run(const ModelSource& source, const ValueMap& feeds, BackendOptions options = {}) {
    const std::unique_ptr<Runner> runner = bench_.runner(source, std::move(options));
    ActiveRunner active(*runner);
    return active.infer(feeds);
  }
  ValueMap run_frozen(BackendOptions options = {}) {
    return run(kFrozen, {{"x:0", array_of<float>({1, 3}, {1, 0, -1})}}, std::move(options));
  }
  std::string error(const ModelSource& source, BackendOptions options = {}) {
    return error_of([&] {
      const std::unique_ptr<Runner> runner = bench_.runner(source, std::move(options));
      const ActiveRunner active(*runner);
    });
  }
  std::string path(const std::string& name) const { return bench_.folder().path() + "/" + name; }

  Bench bench_{"tensorflow"};
};

TEST_F(TensorFlow, RunsFrozenGraphs) {
  const ValueMap outputs = run(kFrozen, {{"x:0", array_of<float>({2, 3}, {1, 0, 0, 0, -1, -1})}});
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_THAT(numbers_of(outputs.find("y:0")), ElementsAre(1, 2, 0, 0));
}

TEST_F(TensorFlow, TellsInputsWithTypesAndShapes) {
  const std::unique_ptr<Runner> runner = bench_.runner(kFrozen);
  ActiveRunner active(*runner);
  EXPECT_EQ(to_text(runner->input_metadata()), "{x:0 [dtype=float32, shape=(-1, 3)]}");
}

TEST_F(TensorFlow, TypesComeThrough) {
  const ModelSource types = {.path = kModels + "types.pb", .format = "frozen"};
  const std::unique_ptr<Runner> runner = bench_.runner(types);
  ActiveRunner active(*runner);
  const Metadata inputs = runner->input_metadata();
  ASSERT_EQ(inputs.size(), 16u);
  ValueMap feeds;
  for (const auto& [name, info] : inputs) {
    feeds.set(
        name,
        info.dtype == DataType::kString
            ? Array::from_strings({2}, {"", std::string(40, 'x')})
            : array_of_bytes(info.dtype, {2},
                             std::string(static_cast<size_t>(storage_bytes(info.dtype, 2)), '\1')));
  }
  const ValueMap outputs = active.infer(feeds);
  ASSERT_EQ(outputs.size(), inputs.size());
  for (const auto& [name, value] : feeds) {
    const Value* output = outputs.find("out_" + name);
    ASSERT_TRUE(output) << name;
    EXPECT_EQ(describe(output->tensor()), describe(value.tensor()));
  }
}

TEST_F(TensorFlow, RunsSignaturesUnderTheirOwnNames) {
  const ValueMap outputs = run(kSavedModel, {{"x", array_of<float>({1, 3}, {1, 1, 2})}});
  EXPECT_THAT(numbers_of(outputs.find("scaled")), ElementsAre(1, 2, 6));
  EXPECT_THAT(numbers_of(outputs.find("total")), ElementsAre(9));
  const ValueMap loud =
      run(kSavedModel, {{"text", Array::from_strings({}, {"quiet"})}}, {{"signature", {"shout"}}});
  EXPECT_EQ(describe(loud.find("loud")->tensor()), describe(Array::from_strings({}, {"QUIET"})));
  EXPECT_EQ(error(kSavedModel, {{"signature", {"sing"}}}),
            "--tf-signature sing: the model has no such signature\n"
            "Its signatures: ['serving_default', 'shout']");
}

// TensorFlow keeps texts of up to 22 bytes in place, and allocates longer ones that it makes.
TEST_F(TensorFlow, TextsOfAnyLengthComeBack) {
  for (const size_t length : {22, 23, 24, 1000, 1 << 20}) {
    const Array quiet = Array::from_strings({}, {std::string(length, 'x')});
    const Array loud = Array::from_strings({}, {std::string(length, 'X')});
    const ValueMap outputs = run(kSavedModel, {{"text", quiet}}, {{"signature", {"shout"}}});
    EXPECT_EQ(describe(outputs.find("loud")->tensor()), describe(loud)) << length;
  }
}

TEST_F(TensorFlow, RestoresCheckpoints) {
  const ValueMap feeds = {{"x:0", array_of<float>({3}, {1, 1, 1})}};
  for (const auto& [source, options] : std::vector<std::pair<ModelSource, BackendOptions>>{
           {kCheckpoint, {}},
           {kCheckpoint, {{"ckpt", {"model"}}}},
           {{.path = kModels + "checkpoint/model.meta", .format = "ckpt"}, {}}}) {
    const ValueMap outputs = run(source, feeds, options);
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_THAT(numbers_of(outputs.find("y:0")), ElementsAre(7, 8, 9));
  }
  // Nodes that save or initialize the model are not outputs.
  const ValueMap all = run(kCheckpoint, feeds, {{"tf_outputs", {"mark", "all"}}});
  EXPECT_THAT(numbers_of(all.find("y:0")), ElementsAre(7, 8, 9));
  EXPECT_THAT(numbers_of(all.find("mul/ReadVariableOp:0")), ElementsAre(7, 8, 9));
  EXPECT_FALSE(all.contains("save/Const:0"));
  EXPECT_THAT(error(kCheckpoint, {{"ckpt", {"other"}}}), HasSubstr("there is no "));
}

TEST_F(TensorFlow, OutputsAreChosenByName) {
  const auto outputs_with = [&](std::vector<std::string> names) {
    std::vector<std::string> found;
    for (const auto& [name, value] : run_frozen({{"tf_outputs", std::move(names)}}))
      found.push_back(name);
    return found;
  };
  EXPECT_THAT(outputs_with({"product", "y:0"}), ElementsAre("product:0", "y:0"));
  const auto all = ElementsAre("x:0", "w:0", "product:0", "add/y:0", "add:0", "y:0");
  EXPECT_THAT(outputs_with({"mark", "all"}), all);
  EXPECT_THAT(outputs_with({"*"}), all);
  EXPECT_THAT(error(kFrozen, {{"tf_outputs", {"y", "z", "y:1"}}}),
              AllOf(HasSubstr("The following outputs were not found in the model: ['z', 'y:1']"),
                    HasSubstr("All outputs are: ['x:0', 'w:0'")));
}

TEST_F(TensorFlow, OutputsOfSignaturesStayAmongAll) {
  const ValueMap all = run(kSavedModel, {{"x", array_of<float>({1, 3}, {1, 1, 2})}},
                           {{"tf_outputs", {"mark", "all"}}});
  EXPECT_THAT(numbers_of(all.find("scaled")), ElementsAre(1, 2, 6));
  EXPECT_THAT(numbers_of(all.find("total")), ElementsAre(9));
  EXPECT_TRUE(all.contains("serving_default_x:0"));
  EXPECT_THAT(error(kSavedModel, {{"tf_outputs", {"mul"}}}),
              AllOf(HasSubstr("All outputs are: ['serving_default_x:0', 'scaled', 'total']"),
                    HasSubstr("operations in functions (['StatefulPartitionedCall'])"),
                    HasSubstr("--freeze-graph")));
}

// Of a loop that is nodes of the graph, the inner ones are computed again and again.
TEST_F(TensorFlow, NodesInLoopsAreNoOutputs) {
  const std::string known =
      error({.path = kModels + "endless.pb", .format = "frozen"}, {{"tf_outputs", {"none"}}});
  EXPECT_THAT(known, AllOf(HasSubstr("'x:0'"), HasSubstr("'loop/Exit:0'"), HasSubstr("'y:0'"),
                           Not(HasSubstr("loop/Enter")), Not(HasSubstr("loop/Switch")),
                           Not(HasSubstr("loop/add"))));
}

TEST_F(TensorFlow, WhatIsNoModelIsSaidInOneLine) {
  EXPECT_THAT(error({.path = kModels + "without_signature", .format = "saved_model"}),
              AllOf(HasSubstr("the model has no signature"), HasSubstr("signatures=FUNCTION")));
  EXPECT_THAT(error({.path = kModels + "make_models.py", .format = "frozen"}),
              HasSubstr("TensorFlow could not import it as a GraphDef"));
  EXPECT_THAT(error({.path = bench_.file_of_bytes("", "empty.pb"), .format = "frozen"}),
              HasSubstr("it is empty"));
  EXPECT_THAT(error({.path = path("absent"), .format = "saved_model"}), HasSubstr("absent"));
  EXPECT_THAT(error({.path = kSavedModel.path, .format = "ckpt"}), HasSubstr("--ckpt NAME"));
  EXPECT_THAT(error({.path = kSavedModel.path, .format = "frozen"}),
              AllOf(HasSubstr("it is a folder"), HasSubstr("--model-type saved_model")));
  std::filesystem::create_directory(path("without_values"));
  std::filesystem::copy(kSavedModel.path + "/saved_model.pb", path("without_values"));
  EXPECT_THAT(error({.path = path("without_values"), .format = "saved_model"}),
              HasSubstr("the folder has no variables/variables.index"));
}

TEST_F(TensorFlow, FeedsThatDoNotFitAreSaid) {
  const auto session =
      bench_.host().open("tensorflow")->load({.path = kFrozen.path, .format = "frozen"}, {});
  EXPECT_EQ(error_of([&] { session->infer({}); }), "the feed has no value for input 'x:0'");
  EXPECT_EQ(error_of([&] {
              session->infer(
                  {{"x:0", array_of<float>({1, 3}, {1, 1, 1})}, {"z", array_of<float>({1}, {1})}});
            }),
            "the model has no input 'z'");
  EXPECT_THAT(error_of([&] { session->infer({{"x:0", array_of<float>({1, 2}, {1, 1})}}); }),
              AllOf(HasSubstr("[1,2]"), Not(HasSubstr("\n\t"))));
  EXPECT_THAT(error_of([&] { session->infer({{"x:0", array_of<int32_t>({1, 3}, {1, 1, 1})}}); }),
              HasSubstr("int32"));
}

TEST_F(TensorFlow, SessionsAreConfigured) {
  const auto same = ElementsAre(0, 0);
  for (const BackendOptions& options :
       {BackendOptions{{"xla", {}}}, BackendOptions{{"allow_growth", {}}},
        BackendOptions{{"gpu_memory_fraction", {"0.5"}}}}) {
    EXPECT_THAT(numbers_of(run_frozen(options).find("y:0")), same);
  }
  EXPECT_EQ(error(kFrozen, {{"gpu_memory_fraction", {"2"}}}),
            "--gpu-memory-fraction takes a number above 0 and up to 1, but received: 2");
  EXPECT_THAT(error(kFrozen, {{"tftrt", {}}}), HasSubstr("--tftrt"));
}

TEST_F(TensorFlow, GraphsAreSaved) {
  const BackendOptions options = {{"save_pb", {path("saved.pb")}},
                                  {"save_tensorboard", {path("board")}}};
  const ValueMap before = run_frozen(options);
  const ValueMap after = run({.path = path("saved.pb"), .format = "frozen"},
                             {{"x:0", array_of<float>({1, 3}, {1, 0, -1})}});
  EXPECT_EQ(numbers_of(before.find("y:0")), numbers_of(after.find("y:0")));
  std::vector<std::string> events;
  for (const auto& entry : std::filesystem::directory_iterator(path("board")))
    events.push_back(entry.path());
  ASSERT_EQ(events.size(), 1u);
  EXPECT_THAT(content(events[0]), AllOf(HasSubstr("brain.Event:2"), HasSubstr("product")));
}

TEST_F(TensorFlow, NodesAreTimed) {
  const auto session =
      bench_.host()
          .open("tensorflow")
          ->load({.path = kFrozen.path, .format = "frozen"},
                 {.options = {{"save_timeline", {path("times")}}}, .profile = true});
  for (int i = 0; i < 2; ++i) session->infer({{"x:0", array_of<float>({1, 3}, {1, 1, 1})}});
  EXPECT_FALSE(session->profile().empty());
  EXPECT_THAT(content(path("times/run-1")), HasSubstr(R"({"traceEvents":[{"ph":"X")"));
  EXPECT_TRUE(std::filesystem::exists(path("times/run-0")));
}

TEST_F(TensorFlow, ACallThatDoesNotEndIsCancelled) {
  const auto session = bench_.host()
                           .open("tensorflow")
                           ->load({.path = kModels + "endless.pb", .format = "frozen"}, {});
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    bench_.stop = true;
  });
  EXPECT_EQ(error_of([&] { session->infer({{"x:0", array_of<float>({}, {1})}}); }), "interrupted");
  stopper.join();
}

TEST_F(TensorFlow, DescribesGraphs) {
  const std::string json = bench_.host()
                               .open("tensorflow")
                               ->describe_network({.path = kFrozen.path, .format = "frozen"}, {});
  EXPECT_THAT(json, HasSubstr(R"("inputs":[{"name":"x:0","dtype":1,"shape":[-1,3])"));
  EXPECT_THAT(json, HasSubstr(R"({"name":"product","type":"MatMul","op":"MatMul")"));
  EXPECT_THAT(json, HasSubstr(R"({"name":"transpose_b","text":"False"})"));
}

}  // namespace
}  // namespace polygraphy::contract
