#include "polygraphy/runtimes/in_parts/parts_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "base/kept_messages.h"
#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

// Knows Add of two tensors of one element.
class AddingRunner : public Runner {
 public:
  explicit AddingRunner(const ModelSource& source) : Runner("adding") {
    Logger quiet;
    model_ = load_onnx(source, quiet);
  }
  ~AddingRunner() override { deactivate(); }

 protected:
  void activate_impl() override {}
  void deactivate_impl() noexcept override {}
  Metadata input_metadata_impl() override { return metadata_of_variables(model_->graph->inputs()); }
  Inference infer_impl(const ValueMap& feeds) override {
    ArrayMap values = tensors_of(feeds);
    for (const auto& node : model_->graph->nodes()) {
      float sum = 0;
      for (const graphsurgeon::Tensor* input : node->inputs()) {
        const std::string name(input->name());
        const Array array = input->payload() ? input->values() : *values.find(name);
        sum += array.as<float>()[0];
      }
      values.set(std::string(node->outputs()[0]->name()), Array::of<float>({1}, {sum}));
    }
    Inference made{.outputs = {}, .seconds = 1};
    for (const auto& output : model_->graph->outputs())
      made.outputs.set(std::string(output->name()), *values.find(std::string(output->name())));
    return made;
  }

 private:
  std::unique_ptr<graphsurgeon::Model> model_;
};

class AddingFactory : public RunnerFactory {
 public:
  AddingFactory(RunnerTools tools, Logger& log) : RunnerFactory(std::move(tools), log) {}
  std::shared_ptr<Runner> make(const RunnerSpec&, const ModelSource& model, Logger&) override {
    ++made;
    return std::make_shared<AddingRunner>(model);
  }

  int made = 0;
};

class PartsRunnerTest : public testing::Test {
 protected:
  PartsRunnerTest() : path_(folder_.path() + "/m.onnx") {
    graphsurgeon::save_model(
        graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[1] x) => (float[1] c, float[1] x, float[1] w, float[1] a) <float[1] w = {10}> {
        a = Add (x, w)
        b = Add (a, a)
        c = Add (b, x)
      })"),
        path_);
  }

  const TemporaryFolder folder_;
  const std::string path_;
  const RunnerSpec spec_{.backend = "onnxrt", .name = "parts"};
  const ValueMap feed_{{"x", Value(Array::of<float>({1}, {1}))}};
  Logger log_;
  PartSize size_{.bytes = 1, .reason = "too little memory", .announced = false};
};

TEST_F(PartsRunnerTest, OutputsAreThoseOfTheModelInItsOrder) {
  AddingFactory factory({}, log_);
  const auto runner = parts_runner(spec_, {.path = path_}, size_, factory, log_, log_);
  ActiveRunner active(*runner);
  const ValueMap outputs = active.infer(feed_);
  EXPECT_EQ(factory.made, 3);
  std::vector<std::string> found;
  for (const auto& [name, value] : outputs)
    found.push_back(name + "=" + std::to_string(value.tensor().as<float>()[0]));
  EXPECT_THAT(found, ElementsAre("c=23.000000", "x=1.000000", "w=10.000000", "a=11.000000"));
  EXPECT_EQ(runner->last_inference_seconds(), 3);
}

TEST_F(PartsRunnerTest, OutputsThatAreInputsNeedNoParts) {
  graphsurgeon::save_model(graphsurgeon::parse_onnx_text(
                               R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[1] x) => (float[1] x) {})"),
                           path_);
  AddingFactory factory({}, log_);
  MessageKeeper said({{"", Severity::kInfo}});
  const auto runner = parts_runner(spec_, {.path = path_}, size_, factory, said.log(), log_);
  ActiveRunner active(*runner);
  EXPECT_TRUE(active.infer(feed_).contains("x"));
  EXPECT_EQ(factory.made, 0);
  for (const KeptMessage& message : said.take())
    EXPECT_THAT(message.text, testing::Not(testing::HasSubstr("parts")));
}

TEST_F(PartsRunnerTest, ACancelledRunEndsBetweenParts) {
  std::atomic<bool> stop = false;
  AddingFactory factory({.cancel = stop}, log_);
  const auto runner = parts_runner(spec_, {.path = path_}, size_, factory, log_, log_);
  ActiveRunner active(*runner);
  stop = true;
  EXPECT_THROW(active.infer(feed_), Interrupted);
  EXPECT_EQ(factory.made, 0);
}

}  // namespace
}  // namespace polygraphy
