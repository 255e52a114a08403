#include "polygraphy/facade/model_loaders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/facade/backend_runners.h"
#include "polygraphy/models/loaders/mark_outputs.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;
using testing::HasSubstr;

Model small() {
  return parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2] x) => (float[2] y) { m = Relu (x)  s = Shape (m)  y = Neg (m) })");
}

std::vector<std::string> outputs_of(const ModelLoader& loader) {
  std::vector<std::string> names;
  const Model model = loader();
  for (const auto& output : model.graph->outputs()) names.emplace_back(output->name());
  return names;
}

TEST(ModelLoaders, NothingHappensBeforeTheCall) {
  int calls = 0;
  const ModelLoader counted([&calls] {
    ++calls;
    return small();
  });
  const TemporaryFolder folder;
  const SaveOnnx loader(ModifyOutputs(counted, {"m"}), folder / "out.onnx");
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(folder.names().empty());
  EXPECT_THAT(outputs_of(loader), testing::ElementsAre("m"));
  EXPECT_THAT(outputs_of(OnnxFromPath(folder / "out.onnx")), testing::ElementsAre("m"));
  loader();
  EXPECT_EQ(calls, 2);
}

TEST(ModelLoaders, AModelIsGivenAnewEachTime) {
  const ModelLoader loader(small());
  loader().graph->set_name("changed");
  EXPECT_EQ(loader().graph->name(), "g");
}

TEST(ModelLoaders, OnlyAFileAsItStandsHasAPath) {
  EXPECT_EQ(ModelLoader("m.onnx").path(), "m.onnx");
  EXPECT_EQ(OnnxFromPath("m.onnx").path(), "m.onnx");
  EXPECT_FALSE(OnnxFromPath("m.onnx", {.external_data_dir = "data"}).path());
  EXPECT_FALSE(ModifyOutputs("m.onnx", {"*"}).path());
}

TEST(ModelLoaders, BytesAndEdits) {
  const OnnxFromBytes bytes(graphsurgeon::encode_model(small()));
  EXPECT_THAT(outputs_of(ModifyOutputs(bytes, {"*"})), testing::ElementsAre("m", "s", "y"));
  EXPECT_THAT(outputs_of(ModifyOutputs(bytes, OutputSelection{.types = {"Shape"}})),
              testing::ElementsAre("s"));
  EXPECT_EQ(InferShapes(bytes)().graph->nodes()[1]->outputs()[0]->dtype(), DataType::kInt64);
  EXPECT_EQ(FoldConstants(ModifyOutputs(bytes, {"s"}))().graph->nodes().size(), 0u);
  const ConvertToFp16 half(bytes);
  EXPECT_EQ(half().graph->nodes()[0]->op(), "Cast");
}

TEST(ModelLoaders, ExtendedByAFunctionThatChangesOrReplaces) {
  const auto renamed =
      extend(ModelLoader(small()), [](Model& model) { model.graph->set_name("renamed"); });
  EXPECT_EQ(renamed().graph->name(), "renamed");
  const auto replaced = extend(renamed, [](const Model& model) {
    return parse_onnx_text("other (float[1] a) => (float[1] " + std::string(model.graph->name()) +
                           ") { renamed = Abs (a) }");
  });
  EXPECT_THAT(outputs_of(replaced), testing::ElementsAre("renamed"));
  const auto number = extend([] { return 20; }, [](int& value) { value += 1; });
  EXPECT_EQ(number(), 21);
}

TEST(BackendRunners, ABackEndThatIsNotThereIsAnErrorOnActivation) {
  EXPECT_THROW(BackendRunner("abacus", "m.onnx"), Error);
  const TemporaryFolder nothing;
  OnnxrtRunner runner(ModelLoader(small()), {.tree = nothing.path()});
  EXPECT_THAT(runner.name(), testing::StartsWith("onnxrt-runner-N0-"));
  try {
    const ActiveRunner active(runner);
    FAIL() << "activated a runtime out of an empty tree";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("onnxrt is not available"));
  }
  EXPECT_FALSE(runner.active());
}

}  // namespace
}  // namespace polygraphy
