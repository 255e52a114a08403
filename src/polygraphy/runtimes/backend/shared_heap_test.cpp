#include "polygraphy/runtimes/backend/shared_heap.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "base/error.h"

namespace polygraphy {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

// Bytes of the file that take up memory.
size_t resident(const SharedHeap& heap) {
  struct stat facts{};
  EXPECT_EQ(::fstat(heap.fd(), &facts), 0);
  return static_cast<size_t>(facts.st_blocks) * 512;
}

TEST(SharedHeapTest, TheOtherProcessSeesABlockAtItsOffset) {
  SharedHeap heap;
  heap.allocate(1000);
  std::byte* block = heap.allocate(1000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % SharedHeap::kAlignment, 0u);
  std::memset(block, 7, 1000);
  const auto offset = heap.offset_of(block);
  ASSERT_TRUE(offset);
  EXPECT_EQ(heap.offset_of(block + 999), *offset + 999);
  EXPECT_EQ(heap.offset_of(&heap), std::nullopt);
  auto* seen =
      static_cast<std::byte*>(::mmap(nullptr, heap.size(), PROT_READ, MAP_SHARED, heap.fd(), 0));
  ASSERT_NE(seen, MAP_FAILED);
  EXPECT_EQ(std::memcmp(seen + *offset, block, 1000), 0);
  ::munmap(seen, heap.size());
}

TEST(SharedHeapTest, BlocksTakeNoMoreThanTwiceTheMemoryThatTheyNeed) {
  SharedHeap heap;
  heap.allocate(kMiB);
  EXPECT_LE(resident(heap), kMiB + 4096);
  heap.allocate(kMiB);
  EXPECT_LE(resident(heap), 4 * kMiB);
  heap.allocate(100 * kMiB);
  EXPECT_LE(resident(heap), 120 * kMiB);
}

TEST(SharedHeapTest, TrimmingGivesBackWhatNobodyUses) {
  SharedHeap heap;
  std::byte* large = heap.allocate(40 * kMiB);
  std::byte* other = heap.allocate(kMiB);
  heap.trim();
  EXPECT_GE(resident(heap), 41 * kMiB);
  heap.free(large);
  heap.trim();
  EXPECT_LE(resident(heap), 20 * kMiB);
  EXPECT_TRUE(heap.offset_of(other));
  EXPECT_FALSE(heap.offset_of(large));
  const size_t size = heap.size();
  heap.allocate(40 * kMiB);
  EXPECT_EQ(heap.size(), size) << "in the gap";
}

TEST(SharedHeapTest, MoreThanTheMachineHasIsRefused) {
  SharedHeap heap;
  EXPECT_THROW(heap.allocate(size_t{1} << 60), Error);
  EXPECT_THROW(heap.allocate(SIZE_MAX), Error);
  EXPECT_TRUE(heap.allocate(kMiB));
}

TEST(SharedHeapTest, ARuntimesSmallBlocksAreOrdinaryMemory) {
  SharedHeap heap;
  void* small = heap.allocate_any(100, 64);
  void* large = heap.allocate_any(kMiB, 64);
  EXPECT_FALSE(heap.offset_of(small));
  EXPECT_TRUE(heap.offset_of(large));
  heap.free_any(small);
  heap.free_any(large);
  heap.free_any(nullptr);
}

TEST(SharedHeapTest, BlocksNeverOverlapAndAllOfItComesBack) {
  SharedHeap heap;
  std::mt19937 random(1);
  struct Block {
    std::byte* data;
    size_t size;
    uint8_t mark;
  };
  std::vector<Block> blocks;
  size_t size = 0;
  for (int round = 0; round < 3; ++round) {
    for (int step = 0; step < 2000; ++step) {
      if (blocks.size() > 40 || (!blocks.empty() && random() % 3 == 0)) {
        std::swap(blocks[random() % blocks.size()], blocks.back());
        const Block last = blocks.back();
        for (const size_t at : {size_t{0}, last.size / 2, last.size - 1})
          ASSERT_EQ(last.data[at], std::byte{last.mark});
        heap.free(last.data);
        blocks.pop_back();
      } else {
        const size_t bytes = 1 + random() % (random() % 4 == 0 ? 3 * kMiB : 2000);
        blocks.push_back({heap.allocate(bytes), bytes, static_cast<uint8_t>(random())});
        std::memset(blocks.back().data, blocks.back().mark, bytes);
      }
    }
    for (const Block& block : blocks) heap.free(block.data);
    blocks.clear();
    // Joined again: each part of the file is one range, so that trimming finds nothing used.
    heap.trim();
    EXPECT_EQ(resident(heap), 0u);
    if (round == 1) size = heap.size();
  }
  EXPECT_LE(heap.size(), 2 * size + kMiB);
}

}  // namespace
}  // namespace polygraphy
