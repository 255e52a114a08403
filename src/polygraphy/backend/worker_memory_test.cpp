#include "polygraphy/backend/worker_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"

namespace polygraphy {
namespace {

// As if the other end were another process.
TensorMap through(SharedMemory& ours, SharedMemory& theirs, const TensorMap& tensors) {
  FieldWriter fields;
  ours.write(tensors, fields);
  FieldReader reader(fields.bytes());
  return theirs.read(reader);
}

TEST(SharedMemoryTest, TensorsArriveAsTheyWere) {
  SharedMemory ours = SharedMemory::create();
  SharedMemory theirs(::dup(ours.fd()));
  const TensorMap tensors = {{"x", Array::of<float>({2, 3}, {1, 2, 3, 4, 5, 6})},
                             {"empty", Array::zeros(DataType::kInt64, {0, 2})},
                             {"scalar", Array::of<bool>({}, {true})},
                             {"texts", Array::from_strings({2, 2}, {"a", "", "Grüße", "d"})},
                             {"packed", Array::zeros(DataType::kInt4, {3})}};
  const TensorMap arrived = through(ours, theirs, tensors);
  ASSERT_EQ(arrived.size(), tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(arrived.at_index(i).first, tensors.at_index(i).first);
    EXPECT_TRUE(bitwise_equal(arrived.at_index(i).second, tensors.at_index(i).second))
        << tensors.at_index(i).first;
  }
  EXPECT_TRUE(through(ours, theirs, {}).empty());
}

TEST(SharedMemoryTest, ViewsKeepTheMemoryInUseAndAlive) {
  SharedMemory ours = SharedMemory::create();
  Array kept;
  {
    SharedMemory theirs(::dup(ours.fd()));
    {
      const TensorMap arrived = through(ours, theirs, {{"x", Array::of<float>({1}, {7})}});
      EXPECT_FALSE(theirs.unused());
      kept = *arrived.find("x");
    }
    EXPECT_FALSE(theirs.unused());
  }
  EXPECT_EQ(kept.get_double(0), 7);
}

TEST(SharedMemoryTest, ItGrows) {
  SharedMemory ours = SharedMemory::create();
  SharedMemory theirs(::dup(ours.fd()));
  const Array small = Array::of<float>({1}, {1});
  through(ours, theirs, {{"x", small}});
  Array large = Array::zeros(DataType::kFloat64, {100'000});
  EXPECT_TRUE(bitwise_equal(*through(ours, theirs, {{"x", large}}).find("x"), large));
  EXPECT_TRUE(bitwise_equal(*through(ours, theirs, {{"x", small}}).find("x"), small));
  EXPECT_TRUE(theirs.unused());
}

TEST(SharedMemoryTest, ATensorOutsideOfItIsRefused) {
  SharedMemory ours = SharedMemory::create();
  FieldWriter fields;
  fields.put(uint64_t{0});
  fields.put(uint64_t{1});
  fields.put(std::string("x"));
  fields.put(DataType::kFloat32);
  fields.put(Shape{4});
  fields.put(uint64_t{0});
  fields.put(uint64_t{16});
  FieldReader reader(fields.bytes());
  EXPECT_THROW(ours.read(reader), Error);
}

TEST(FieldsTest, MetadataAndListsComeBack) {
  const Metadata metadata = {{"x", {DataType::kFloat32, DimList{Dim(2), Dim("N"), Dim()}, "doc"}},
                             {"y", {DataType::kUndefined, std::nullopt, ""}}};
  const std::vector<std::pair<std::string, std::vector<std::string>>> options = {{"a", {}},
                                                                                 {"b", {"1", ""}}};
  FieldWriter fields;
  fields.put(metadata);
  fields.put(options);
  FieldReader reader(fields.bytes());
  Metadata read;
  reader.get(read);
  EXPECT_EQ(to_text(read), to_text(metadata));
  EXPECT_EQ(read.find("x")->shape, metadata.find("x")->shape);
  std::vector<std::pair<std::string, std::vector<std::string>>> read_options;
  reader.get(read_options);
  EXPECT_EQ(read_options, options);
  EXPECT_THROW(reader.get<uint64_t>(), Error);
}

}  // namespace
}  // namespace polygraphy
