#include "polygraphy/model_tools/codegen/tf_loaders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "polygraphy/model_tools/codegen/run_script.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

RunScript script() {
  RunScript result;
  result.model.source.path = "m.pb";
  result.model.tensorflow = TfScript{.path = "m.pb"};
  result.runners.push_back({.kind = RunScript::Runner::Kind::kTensorFlow});
  return result;
}

std::string python_of(const RunScript& script) {
  Logger silent;
  return to_python(script, silent);
}

TEST(TfLoaders, ARunnerAndAnOnnxModelShareTheGraphButForItsOutputs) {
  RunScript both = script();
  both.runners.push_back({.kind = RunScript::Runner::Kind::kOnnxRuntime});
  both.model.source.shape_inference = true;  // of ONNX files
  TfScript& model = *both.model.tensorflow;
  model.outputs = {"a"};
  model.freeze = model.xla = true;
  model.opset = 13;
  EXPECT_THAT(python_of(both), HasSubstr(R"(
# Loaders
load_frozen = GraphFromFrozen('m.pb')
optimize_graph = OptimizeGraph(load_frozen)
modify_tf = ModifyGraphOutputs(optimize_graph, outputs=['a'])
create_tf_config = CreateConfig(use_xla=True)
build_tf_session = SessionFromGraph(modify_tf, config=create_tf_config)
export_onnx_from_tf = OnnxFromTfGraph(optimize_graph, opset=13)
serialize_onnx = BytesFromOnnx(export_onnx_from_tf)
build_onnxrt_session = SessionFromOnnx(serialize_onnx)

# Runners
runners = [
    TfRunner(build_tf_session),
    OnnxrtRunner(build_onnxrt_session),
]
)"));
}

TEST(TfLoaders, ACheckpointHasAFolderAndPerhapsAName) {
  RunScript checkpoint = script();
  checkpoint.model.tensorflow->format = TfScript::Format::kCheckpoint;
  EXPECT_THAT(python_of(checkpoint), HasSubstr("load_ckpt = GraphFromCkpt('m.pb', None)\n"));
  checkpoint.model.tensorflow->checkpoint = "it's";
  EXPECT_THAT(python_of(checkpoint), HasSubstr("GraphFromCkpt('m.pb', \"it's\")\n"));
}

TEST(TfLoaders, AModelOfOnnxIsNoneOfTensorFlow) {
  RunScript of_onnx = script();
  of_onnx.model.tensorflow.reset();
  EXPECT_THROW(python_of(of_onnx), Error);
}

}  // namespace
}  // namespace polygraphy
