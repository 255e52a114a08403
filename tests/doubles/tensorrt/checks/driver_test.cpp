// The double of the driver.
#include <cstdint>

#include "checks/fixture.h"

namespace tensorrt_double {
namespace {

int init() {
  return symbol<int(unsigned)>(PG_CUDA, "cuInit")(0);
}

class CudaDouble : public testing::Test {
 protected:
  CudaDouble() {
    EXPECT_EQ(init(), 0);
    void* context = nullptr;
    EXPECT_EQ(symbol<int(void**, int)>(PG_CUDA, "cuDevicePrimaryCtxRetain")(&context, 0), 0);
    EXPECT_EQ(symbol<int(void*)>(PG_CUDA, "cuCtxSetCurrent")(context), 0);
  }
  static int allocate(uintptr_t* address, size_t bytes) {
    return symbol<int(uintptr_t*, size_t)>(PG_CUDA, "cuMemAlloc_v2")(address, bytes);
  }
  static int free(uintptr_t address) {
    return symbol<int(uintptr_t)>(PG_CUDA, "cuMemFree_v2")(address);
  }
};

TEST_F(CudaDouble, BytesGoThereAndBack) {
  uintptr_t memory = 0;
  ASSERT_EQ(allocate(&memory, 8), 0);
  const uint64_t there = 42;
  uint64_t back = 0;
  auto* to = symbol<int(uintptr_t, const void*, size_t, void*)>(PG_CUDA, "cuMemcpyHtoDAsync_v2");
  auto* from = symbol<int(void*, uintptr_t, size_t, void*)>(PG_CUDA, "cuMemcpyDtoHAsync_v2");
  EXPECT_EQ(to(memory, &there, 8, nullptr), 0);
  EXPECT_EQ(from(&back, memory, 8, nullptr), 0);
  EXPECT_EQ(back, 42U);
  EXPECT_NE(to(memory, &there, 9, nullptr), 0) << "beyond the allocation";
  EXPECT_EQ(free(memory), 0);
  EXPECT_NE(free(memory), 0) << "freed twice";
}

TEST_F(CudaDouble, MemoryEnds) {
  const Variable fail("PG_CUDA_DOUBLE_FAIL", "out-of-memory:100");
  uintptr_t memory = 0;
  EXPECT_EQ(allocate(&memory, 101), 2);
  ASSERT_EQ(allocate(&memory, 60), 0);
  uintptr_t more = 0;
  EXPECT_EQ(allocate(&more, 60), 2);
  size_t left = 0, total = 0;
  EXPECT_EQ(symbol<int(size_t*, size_t*)>(PG_CUDA, "cuMemGetInfo_v2")(&left, &total), 0);
  EXPECT_EQ(left, 40U);
  EXPECT_EQ(free(memory), 0);
  const char* text = nullptr;
  symbol<int(int, const char**)>(PG_CUDA, "cuGetErrorName")(2, &text);
  EXPECT_STREQ(text, "CUDA_ERROR_OUT_OF_MEMORY");
}

TEST_F(CudaDouble, DevicesCanBeMissing) {
  int version = 0;
  EXPECT_EQ(symbol<int(int*)>(PG_CUDA, "cuDriverGetVersion")(&version), 0);
  EXPECT_GE(version, 13000);
  const Variable fail("PG_CUDA_DOUBLE_FAIL", "no-device,too-old");
  EXPECT_EQ(init(), 100);
  EXPECT_EQ(symbol<int(int*)>(PG_CUDA, "cuDriverGetVersion")(&version), 0);
  EXPECT_LT(version, 11000);
}

}  // namespace
}  // namespace tensorrt_double
