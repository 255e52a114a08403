#include "onnxrt/profile.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace onnxrt {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

std::string kernel(const std::string& name, const std::string& op, int duration) {
  return R"({"cat" : "Node","pid" :1,"tid" :1,"dur" :)" + std::to_string(duration) +
         R"(,"ts" :9,"ph" : "X","name" :")" + name +
         R"(_kernel_time","args" : {"output_size" : "24","op_name" : ")" + op +
         R"(","provider" : "CPUExecutionProvider"}},)" + "\n";
}
constexpr char kRun[] =
    R"({"cat" : "Session","pid" :1,"tid" :1,"dur" :30,"ts" :0,"ph" : "X","name" :"model_run","args" : {}},)"
    "\n";

TEST(LastRun, KernelsInOrderOfExecution) {
  const std::vector<KernelTime> rows =
      last_run("[\n" + kernel("conv1", "Conv", 12) + kernel("relu1", "Relu", 3) + kRun + "]\n");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].node, "conv1");
  EXPECT_EQ(rows[0].op, "Conv");
  EXPECT_EQ(rows[0].provider, "CPUExecutionProvider");
  EXPECT_EQ(rows[0].microseconds, 12);
  EXPECT_EQ(rows[1].node, "relu1");
}

TEST(LastRun, OnlyTheLast) {
  const std::vector<KernelTime> rows =
      last_run("[\n" + kernel("a", "Conv", 1) + kRun + kernel("b", "Conv", 2) + kRun + "]");
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].node, "b");
}

TEST(LastRun, OfATraceThatWasCutShort) {
  EXPECT_THAT(last_run("[\n" + kernel("a", "Conv", 1)), SizeIs(1));
  EXPECT_THAT(last_run(kernel("a", "Conv", 1).substr(0, 60)), IsEmpty());
  EXPECT_THAT(last_run(""), IsEmpty());
  EXPECT_THAT(last_run("{\"name\" :\"x_kernel_time"), SizeIs(1));
}

TEST(ProfileFolder, GivesTheNewestTraceAndGoesAway) {
  std::string first;
  {
    ProfileFolder folder;
    EXPECT_EQ(folder.newest(), "");
    first = folder.next_prefix();
    std::ofstream(first + "_2026.json") << "old";
    std::ofstream(folder.next_prefix() + "_2025.json") << "new";
    EXPECT_EQ(folder.newest(), "new");
  }
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(first).parent_path()));
}

}  // namespace
}  // namespace onnxrt
