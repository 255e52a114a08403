// Outputs that other programs saved, as --load-outputs reads them.
#include "polygraphy/data/results/output_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "formats/npy.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/data/results/saved_outputs.h"
#include "polygraphy/data/tensors/tensor_format.h"

namespace polygraphy {
namespace {

class OutputFilesTest : public testing::Test {
 protected:
  std::string write(const std::string& name, std::string_view bytes) {
    const std::string path = folder_ / name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  std::string write_npy(const std::string& name, float value) {
    std::string bytes = npy_header(Array::of<float>({1}, {value}));
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    return write(name, bytes);
  }
  // A TensorProto of one float, which may have a name.
  std::string write_pb(const std::string& name, float value, const std::string& tensor = "") {
    std::string bytes("\x08\x01\x10\x01", 4);
    if (!tensor.empty())
      bytes += "\x42" + std::string(1, static_cast<char>(tensor.size())) + tensor;
    bytes += std::string("\x4A\x04", 2);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    return write(name, bytes);
  }
  // "RUNNER: y=1 z=2 | y=3": the outputs of each iteration.
  std::string outputs(const std::string& path) {
    const RunResults results = load_results(path, quiet_);
    std::string text;
    for (const auto& [runner, iterations] : results.runners) {
      text += runner + ":";
      for (const IterationResult& result : iterations) {
        if (!text.ends_with(':')) text += " |";
        for (const auto& [name, array] : result.outputs)
          text += " " + name + "=" + std::to_string(static_cast<int>(array.get_double(0)));
      }
    }
    return text;
  }
  std::string failure(const std::string& path) {
    try {
      load_results(path, quiet_);
    } catch (const Error& error) {
      return std::string(error.what()) + " " + error.hint();
    }
    return "no error";
  }

  TemporaryFolder folder_;
  Logger quiet_;
};

TEST_F(OutputFilesTest, AFileOfOneArrayIsAnOutputOfItsName) {
  EXPECT_EQ(outputs(write_npy("golden/logits.npy", 7)), "logits.npy: logits=7");
  EXPECT_EQ(outputs(write_pb("output_0.pb", 7)), "output_0.pb: output_0=7");
  EXPECT_EQ(outputs(write_pb("named.pb", 7, "y")), "named.pb: y=7");
}

TEST_F(OutputFilesTest, RawBytesAreAnOutputOfTheNameTheyAreGiven) {
  const std::string path = write("y.bin", std::string_view("\0\0\x40\x40", 4));
  EXPECT_EQ(outputs(path + ":logits:[1]:float32"), "y.bin: logits=3");
  EXPECT_NE(failure(path).find("PATH:NAME:[1,3,4]:float32."), std::string::npos);
}

TEST_F(OutputFilesTest, OnnxTestDataAreAnIterationEach) {
  write_pb("model/test_data_set_0/input_0.pb", 1, "x");
  write_pb("model/test_data_set_0/output_0.pb", 2, "y");
  write_pb("model/test_data_set_0/output_1.pb", 3, "z");
  write_pb("model/test_data_set_10/output_0.pb", 6, "y");
  write_pb("model/test_data_set_2/output_0.pb", 4, "y");
  write("model/model.onnx", "");
  EXPECT_EQ(outputs(folder_ / "model/test_data_set_0"), "test_data_set_0: y=2 z=3");
  EXPECT_EQ(outputs(folder_ / "model/test_data_set_0/"), "test_data_set_0: y=2 z=3");
  EXPECT_EQ(outputs(folder_ / "model"), "model: y=2 z=3 | y=4 | y=6");
}

// Files of polygraphy are marked; files without the mark come from another program.
TEST_F(OutputFilesTest, FilesOfNamedArraysAreAnIterationEach) {
  for (const char* extension : {".npz", ".safetensors"}) {
    const std::string path = folder_ / ("golden" + std::string(extension));
    const auto file = format_of_extension(path)->write(path);
    file->add("y", Array::of<float>({1}, {3}));
    file->add("z", Array::of<float>({1}, {4}));
    file->finish("");
    EXPECT_EQ(outputs(path), std::string("golden") + extension + ": y=3 z=4");
    std::filesystem::create_directories(folder_ / extension);
    std::filesystem::copy(path, folder_ / (extension + std::string("/1") + extension));
    std::filesystem::copy(path, folder_ / (extension + std::string("/0") + extension));
    EXPECT_EQ(outputs(folder_ / extension), std::string(extension) + ": y=3 z=4 | y=3 z=4");
    InputWriter writer(path, quiet_);
    writer.add({{"y", Array::of<float>({1}, {1})}});
    writer.finish();
    EXPECT_EQ(failure(path), path + ": 1 feed, but not RunResults. This looks like inputs.");
  }
}

TEST_F(OutputFilesTest, TwoFilesOfOneOutputAreRefused) {
  write_pb("set/output_0.pb", 1, "y");
  write_pb("set/output_1.pb", 2, "y");
  EXPECT_EQ(failure(folder_ / "set"),
            folder_ / "set/output_1.pb" +
                ": another file of the same iteration also holds 'y'. Outputs of one "
                "iteration must have different names.");
}

TEST_F(OutputFilesTest, AFolderWithoutOutputsSaysWhatThereMayBe) {
  write_pb("set/input_0.pb", 1, "x");
  EXPECT_EQ(failure(folder_ / "set"),
            "No per-iteration '*.json' files found in directory: " + (folder_ / "set") +
                " It contains no other files of outputs (.safetensors, .npz, .npy, .pb of onnx "
                "test data, .pt of PyTorch), and neither do its folders.");
}

}  // namespace
}  // namespace polygraphy
