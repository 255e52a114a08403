// How much of a file is mapped in while it is read: that of a large one may be more than there is.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "polygraphy/data/results/combine_files.h"
#include "polygraphy/data/results/result_store.h"
#include "polygraphy/data/results/saved_outputs.h"

namespace polygraphy {
namespace {

constexpr int64_t kMib = int64_t{1} << 20;
constexpr int64_t kArrays = 28, kArrayMib = 4;

// Of all mapped files, in this process.
int64_t mapped_mib() {
  std::ifstream statm("/proc/self/statm");
  int64_t size = 0, resident = 0, shared = 0;
  statm >> size >> resident >> shared;
  return shared * ::sysconf(_SC_PAGESIZE) / kMib;
}

class SavedMemory : public testing::Test {
 protected:
  SavedMemory() {
    std::filesystem::create_directories(folder_);
    const Array array = Array::zeros(DataType::kUint8, {kArrayMib * kMib});
    StoreWriter writer(path_, std::vector<std::string>{"runner"});
    writer.begin_result(0, 0.5, kArrays);
    for (int64_t i = 0; i < kArrays; ++i) writer.add("y" + std::to_string(i), array);
    writer.finish();
  }
  ~SavedMemory() override { std::filesystem::remove_all(folder_); }

  std::string folder_ = testing::TempDir() + "saved_memory/";
  std::string path_ = folder_ + "all.safetensors";
  Logger quiet_;
};

TEST_F(SavedMemory, ArraysThatAreReadOneByOneLetGoOfThoseBefore) {
  OutputReader reader(path_, quiet_);
  auto results = reader.next_deferred();
  ASSERT_TRUE(results);
  IterationResult& result = *results->front();
  const int64_t before = mapped_mib();
  int64_t most = 0, sum = 0;
  for (size_t i = 0; i < static_cast<size_t>(kArrays); ++i) {
    const Array array = result.output(i);
    for (std::byte byte : array.bytes()) sum += static_cast<int64_t>(byte);
    most = std::max(most, mapped_mib() - before);
  }
  EXPECT_EQ(sum, 0);
  EXPECT_LE(most, 16 + 2 * kArrayMib) << "of " << kArrays * kArrayMib;
}

TEST_F(SavedMemory, SmallArraysThatAreMergedLetGoOfThoseBefore) {
  const int64_t before = mapped_mib();
  std::atomic<bool> done = false;
  int64_t most = 0;
  std::thread watch([&] {
    while (!done) most = std::max(most, mapped_mib() - before);
  });
  merge_saved_files({path_}, folder_ + "merged.safetensors", quiet_);
  done = true;
  watch.join();
  EXPECT_LE(most, 64 + 2 * kArrayMib) << "of " << kArrays * kArrayMib;
}

}  // namespace
}  // namespace polygraphy
