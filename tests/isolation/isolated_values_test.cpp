// Sequences, maps and optionals of an isolated runner: those that the same runner returns here.
#include <gtest/gtest.h>

#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/backend/session_runner.h"
#include "polygraphy/runtimes/worker/worker_runner.h"

namespace polygraphy {
namespace {

TEST(IsolatedValues, AreThoseThatOurProcessComputes) {
  const TemporaryFolder folder;
  const ModelSource model{.path = folder.path() + "/m.onnx"};
  graphsurgeon::Model parsed = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 8, opset_import: ["": 17, "ai.onnx.ml": 3]>
      g (seq(float[N]) s, optional(float[2]) o, float[1, 2] p) =>
        (seq(float[N]) t, float[2] y, optional(float[2]) none, seq(map(int64, float)) m) {
          t = Identity (s)
          y = OptionalGetElement (o)
          none = Optional <type = float[2]> ()
          m = ai.onnx.ml.ZipMap <classlabels_int64s = [10, 20]> (p) })");
  graphsurgeon::save_model(parsed, model.path);

  Logger log;
  PluginPaths paths;
  paths.plugin_dirs = {PG_BINARY_DIR "/lib/polygraphy/backends"};
  paths.bundled = {PG_BINARY_DIR "/lib/polygraphy/engines"};
  PluginHost host(paths, log);
  const pgb_backend_options& onnxrt = *host.catalog().get("onnxrt").options;
  const auto here = make_named_runner("here", host, onnxrt, model, {}, {}, log);
  const auto apart = make_worker_runner("apart", host, onnxrt, model, {}, {},
                                        {.program = PG_BINARY_DIR "/bin/polygraphy"}, log);

  const Array one = Array::of<float>({1}, {1}), two = Array::of<float>({2}, {2, 3});
  const Array p = Array::of<float>({1, 2}, {0.25, 0.75});
  const ValueMap feed = {{"s", Value::Sequence{one, two}}, {"o", two}, {"p", p}};
  const Value::Map map{Array::of<int64_t>({2}, {10, 20}), Array::of<float>({2}, {0.25, 0.75})};
  const ValueMap expected = {
      {"t", Value::Sequence{one, two}}, {"y", two}, {"none", Value()}, {"m", Value::Sequence{map}}};
  for (Runner* runner : {here.get(), apart.get()}) {
    ActiveRunner active(*runner);
    EXPECT_EQ(active->input_metadata().find("s")->kind, ValueKind::kSequence);
    EXPECT_EQ(active->input_metadata().find("o")->kind, ValueKind::kOptional);
    const ValueMap outputs = active.infer(feed);
    ASSERT_EQ(outputs.size(), expected.size());
    for (const auto& [name, value] : expected) {
      EXPECT_TRUE(bitwise_equal(*outputs.find(name), value)) << runner->name() << ' ' << name;
    }
  }
}

TEST(IsolatedValues, ThePrecisionIsToldFromThere) {
  const TemporaryFolder folder;
  const ModelSource model{.path = folder.path() + "/neg.onnx"};
  graphsurgeon::save_model(graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
        g (float[2] x) => (float[2] y) { y = Neg (x) })"),
                           model.path);
  Logger log;
  PluginPaths paths;
  paths.plugin_dirs = {PG_BINARY_DIR "/lib/polygraphy/backends"};
  paths.bundled = {PG_BINARY_DIR "/lib/polygraphy/engines"};
  PluginHost host(paths, log);
  const pgb_backend_options& openvino = *host.catalog().get("openvino").options;
  const auto apart = make_worker_runner("apart", host, openvino, model, {}, {},
                                        {.program = PG_BINARY_DIR "/bin/polygraphy"}, log);
  EXPECT_EQ(apart->precision(), "");
  {
    const ActiveRunner active(*apart);
  }
  EXPECT_EQ(apart->precision(), "float32");
}

}  // namespace
}  // namespace polygraphy
