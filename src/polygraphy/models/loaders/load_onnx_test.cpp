#include "polygraphy/models/loaders/load_onnx.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/recording_log.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

TEST(LoadOnnx, WarnsOfExternalDataThatIsAHardLink) {
  const TemporaryFolder folder;
  graphsurgeon::SaveOptions options;
  options.external_data = "w.bin";
  options.external_data_threshold = 0;
  graphsurgeon::save_model(
      graphsurgeon::parse_onnx_text("g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> "
                                    "{ y = Add (x, w) }"),
      folder / "m.onnx", options);
  RecordingLog alone;
  load_onnx({.path = folder / "m.onnx"}, alone.log());
  EXPECT_FALSE(alone.has("hard links"));
  std::filesystem::create_hard_link(folder / "w.bin", folder / "other");
  RecordingLog linked;
  load_onnx({.path = folder / "m.onnx"}, linked.log());
  EXPECT_TRUE(linked.has("w.bin has 2 hard links"));
  // A folder has a link in each of its folders.
  std::filesystem::remove(folder / "w.bin");
  std::filesystem::create_directory(folder / "w.bin");
  std::filesystem::create_directory(folder / "w.bin/inner");
  RecordingLog directory;
  load_onnx({.path = folder / "m.onnx"}, directory.log());
  EXPECT_FALSE(directory.has("hard links"));
}

}  // namespace
}  // namespace polygraphy
