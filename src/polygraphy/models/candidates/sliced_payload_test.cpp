#include "polygraphy/models/candidates/sliced_payload.h"

#include <gmock/gmock.h>

#include <numeric>
#include <string>
#include <vector>

#include "base/arrays/packing.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

// Element i of 3 x 5 is i modulo 2^bits.
Array counting(DataType type) {
  std::vector<uint8_t> values(15);
  std::iota(values.begin(), values.end(), 0);
  return pack(Array::of<uint8_t>({3, 5}, values), type);
}

TEST(SlicedPayloadTest, PackedElementsAreCutOutOfTheirBytes) {
  for (const DataType type : {DataType::kInt4, DataType::kUint4, DataType::kFloat4E2M1,
                              DataType::kInt2, DataType::kUint2}) {
    const auto part = first_elements(graphsurgeon::owned_payload(counting(type)), {2, 3});
    ASSERT_NE(part, nullptr);
    EXPECT_EQ(part->dtype(), type);
    const Array values = part->load("w");
    EXPECT_EQ(values.shape(), (Shape{2, 3}));
    std::vector<uint64_t> bits;
    for (int64_t i = 0; i < values.size(); ++i) bits.push_back(values.element_bits(i));
    const uint64_t mask = (1u << bit_width(type)) - 1;
    EXPECT_THAT(bits, ElementsAre(0, 1, 2, 5 & mask, 6 & mask, 7 & mask));
  }
}

TEST(SlicedPayloadTest, TextsAreCutOut) {
  const auto texts = Array::from_strings({2, 3}, {"a", "b", "c", "d", "e", "f"});
  const auto part = first_elements(graphsurgeon::owned_payload(texts), {2, 1});
  ASSERT_NE(part, nullptr);
  const Array values = part->load("t");
  EXPECT_EQ(values.shape(), (Shape{2, 1}));
  EXPECT_THAT(std::vector(values.strings().begin(), values.strings().end()), ElementsAre("a", "d"));
}

}  // namespace
}  // namespace polygraphy
