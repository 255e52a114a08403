#include "polygraphy/diagnosis/reduce/intermediates/intermediates.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/recording_log.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

// With a runtime: tests/planted_faults, tests/model_checks.
TEST(Intermediates, SayWhichFileKeepsTheModelFromRunning) {
  const TemporaryFolder folder;
  graphsurgeon::SaveOptions saving;
  saving.external_data = "weights.bin";
  saving.external_data_threshold = 0;
  graphsurgeon::save_model(graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
        g (float[2] x) => (float[2] z) <float[2] w = {1, 2}> { y = Add(x, w) z = Neg(y) })"),
                           folder / "model.onnx", saving);
  std::filesystem::remove(folder / "weights.bin");
  graphsurgeon::LoadOptions loading;
  loading.ignore_external_data = true;
  const graphsurgeon::Model model = graphsurgeon::load_model(folder / "model.onnx", loading);

  RecordingLog log;
  SubmodelRunner runtime(model, "none", {}, log.log());
  const auto feeds = generated_feeds({}, log.log());
  Intermediates intermediates(model, runtime, *feeds, log.log());
  EXPECT_EQ(intermediates.values({"y"}).size(), 0);
  EXPECT_EQ(intermediates.values({"z"}).size(), 0);
  EXPECT_TRUE(log.has("[W] Values inside the model are unknown"));
  EXPECT_TRUE(log.has("weights.bin"));
}

// Both the runtime and inference refuse the loop: its body adds vectors of two and of three.
TEST(Intermediates, TakeTypesFromBodiesWhereALoopCannotBeRun) {
  const graphsurgeon::Model model =
      graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
        g (float[2] x, int64 n, bool c) => (float[2] y, float[M, 2] collected)
        <float[3] three = {1, 2, 3}> {
          l, s = Loop(n, c, x) <body = b (int64 i, bool go, float[2] v)
              => (bool go_on, float[2] w, float[2] u) {
            go_on = Identity(go)  t = Add(v, three)  w = Identity(t)  u = Neg(w)
          }>
          r = Relu(l)  collected = Abs(s)  y = Neg(r)
        })");
  Logger log;
  SubmodelRunner runtime(model, "none", {}, log);
  const auto feeds = generated_feeds({}, log);
  Intermediates intermediates(model, runtime, *feeds, log);
  EXPECT_EQ(to_text(intermediates.declared({"l", "r", "s"})),
            "{l [dtype=float32, shape=(2,)],\n r [dtype=float32, shape=(2,)],\n "
            "s [dtype=float32, shape=(-1, 2)]}");
}

}  // namespace
}  // namespace polygraphy
