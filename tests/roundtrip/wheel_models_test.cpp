// Every model of the onnx wheel's test data: saved untouched it is the same file; encoded again it
// is the same message, with the same result of the checker.

#include <gtest/gtest.h>
#include <onnx/checker.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "parsed.h"

namespace graphsurgeon::roundtrip {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> wheel_models() {
  std::vector<std::string> paths;
  const fs::path root = fs::path(PG_DEPS_DIR) / "onnx-testdata";
  if (!fs::exists(root)) return paths;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".onnx") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class WheelModels : public testing::Test {
 protected:
  void SetUp() override {
    paths_ = wheel_models();
    ASSERT_GT(paths_.size(), 1500u) << "set-up brings the onnx wheel's test data";
    folder_ = fs::path(testing::TempDir()) / "gs_roundtrip_models";
    fs::create_directories(folder_);
    out_ = (folder_ / "out.onnx").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<std::string> paths_;
  fs::path folder_;
  std::string out_;
};

TEST_F(WheelModels, AreSavedByteForByteWhenUntouched) {
  SaveOptions options;
  options.durability = polygraphy::Durability::kNone;
  for (const std::string& path : paths_) {
    SCOPED_TRACE(path);
    const Model model = load_model(path);
    ASSERT_TRUE(model.untouched());
    fs::remove(out_);  // replacing a file waits for the disk
    save_model(model, out_, options);
    ASSERT_EQ(read_file(out_), read_file(path));
  }
}

TEST_F(WheelModels, AreTheSameMessageWhenEncodedAnew) {
  size_t same_bytes = 0;
  for (const std::string& path : paths_) {
    SCOPED_TRACE(path);
    const std::string original = read_file(path);
    const std::string written = forced(load_model(path), out_);
    EXPECT_EQ(canonical(written), canonical(original));
    same_bytes += written == original;
  }
  // Python's protobuf writes fields in the order in which we do.
  EXPECT_GT(same_bytes, paths_.size() * 9 / 10);
}

std::string verdict(const std::string& bytes) {
  try {
    onnx::checker::check_model(parse(bytes));
    return "fine";
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST_F(WheelModels, PassTheCheckerAsBefore) {
  size_t fine = 0;
  for (const std::string& path : paths_) {
    SCOPED_TRACE(path);
    const std::string before = verdict(read_file(path));
    EXPECT_EQ(verdict(forced(load_model(path), out_)), before);
    fine += before == "fine";
  }
  EXPECT_GT(fine, paths_.size() * 9 / 10);
}

TEST_F(WheelModels, AreSmallWithoutTheirPayloads) {
  for (const std::string& path : paths_) {
    SCOPED_TRACE(path);
    const Model model = load_model(path);
    const onnx::ModelProto stripped = parse(encode_without_payloads(model, 16));
    EXPECT_EQ(stripped.graph().node_size(), parse(read_file(path)).graph().node_size());
    for (const auto& tensor : stripped.graph().initializer()) {
      EXPECT_LE(tensor.raw_data().size(), 16u) << tensor.name();
      EXPECT_LE(tensor.float_data_size(), 4) << tensor.name();
    }
  }
}

}  // namespace
}  // namespace graphsurgeon::roundtrip
