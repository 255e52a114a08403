#include "polygraphy/runtimes/worker/shared_tensors.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"

namespace polygraphy {
namespace {

// As if the other end were another process.
class SharedTensorsTest : public testing::Test {
 protected:
  ValueMap through(ValueMap tensors) {
    FieldWriter fields;
    exporter_.put(std::move(tensors), fields);
    FieldReader reader(fields.bytes());
    return importer_.get(reader);
  }

  SharedHeap heap_;
  SharedTensorExporter exporter_{heap_};
  SharedTensorImporter importer_{::dup(heap_.fd())};
};

TEST_F(SharedTensorsTest, TensorsArriveAsTheyWere) {
  const ValueMap tensors = {
      {"x", Array::of<float>({2, 3}, {1, 2, 3, 4, 5, 6})},
      {"empty", Array::zeros(DataType::kInt64, {0, 2})},
      {"scalar", Array::of<bool>({}, {true})},
      {"texts", Array::from_strings({2, 2}, {"a", "", "Grüße", "d"})},
      {"sequence", Value::Sequence{Array::of<float>({1}, {1}), Value::Sequence{}}},
      {"map", Value::Map{Array::of<int64_t>({1}, {3}), Array::from_strings({1}, {"three"})}},
      {"absent", Value()},
      {"packed", Array::zeros(DataType::kInt4, {3})},
      {"transposed", Array::of<float>({2, 2}, {1, 2, 3, 4}).transposed(std::vector<int64_t>{1, 0})},
      {"large", Array::zeros(DataType::kFloat64, {1'000'000})}};
  const ValueMap arrived = through(tensors);
  ASSERT_EQ(arrived.size(), tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(arrived.at_index(i).first, tensors.at_index(i).first);
    EXPECT_TRUE(bitwise_equal(arrived.at_index(i).second, tensors.at_index(i).second))
        << tensors.at_index(i).first;
  }
  EXPECT_TRUE(through({}).empty());
}

TEST_F(SharedTensorsTest, TensorsInTheHeapAreNotCopied) {
  auto* block = reinterpret_cast<float*>(heap_.allocate(8));
  block[0] = 1;
  block[1] = 2;
  const ValueMap arrived = through({{"x", Array::view(DataType::kFloat32, {2}, block, nullptr)}});
  block[1] = 3;
  EXPECT_TRUE(bitwise_equal(arrived.find("x")->tensor(), Array::of<float>({2}, {1, 3})));
}

TEST_F(SharedTensorsTest, ABatchIsReleasedWithItsLastView) {
  const auto owner = std::make_shared<int>(0);
  auto* block = heap_.allocate(8);
  ValueMap first = through({{"x", Array::view(DataType::kFloat32, {2}, block, owner)}});
  const ValueMap second = through({{"y", Array::of<float>({1}, {7})}});
  {
    const Array last = first.find("x")->tensor();
    first = {};
    EXPECT_TRUE(importer_.released().empty());
  }
  EXPECT_EQ(owner.use_count(), 2) << "the exporter has not been told yet";
  exporter_.release(importer_.released());
  EXPECT_EQ(owner.use_count(), 1);
  EXPECT_TRUE(importer_.released().empty()) << "each batch is named once";
  EXPECT_EQ(second.find("y")->tensor().get_double(0), 7);
}

TEST_F(SharedTensorsTest, ViewsOutliveBothEnds) {
  Array kept;
  {
    SharedHeap heap;
    SharedTensorExporter exporter(heap);
    SharedTensorImporter importer(::dup(heap.fd()));
    FieldWriter fields;
    exporter.put({{"x", Array::of<float>({1}, {7})}}, fields);
    FieldReader reader(fields.bytes());
    kept = importer.get(reader).find("x")->tensor();
  }
  EXPECT_EQ(kept.get_double(0), 7);
}

TEST_F(SharedTensorsTest, ReleasedTensorsMakeRoom) {
  const auto round = [&] {
    through({{"x", Array::zeros(DataType::kUint8, {40 << 20})}});
    exporter_.release(importer_.released());
  };
  round();
  const size_t size = heap_.size();
  for (int i = 0; i < 3; ++i) round();
  EXPECT_EQ(heap_.size(), size);
}

TEST_F(SharedTensorsTest, DamagedValuesAreRefused) {
  const auto get = [&](const std::vector<Value::Kind>& kinds) {
    FieldWriter fields;
    fields.put(uint64_t{0});
    fields.put(uint64_t{0});
    fields.put(uint64_t{1});
    fields.put(std::string("x"));
    for (const Value::Kind kind : kinds) {
      fields.put(kind);
      if (kind == Value::Kind::kSequence) fields.put(uint64_t{1});
    }
    FieldReader reader(fields.bytes());
    return importer_.get(reader);
  };
  EXPECT_TRUE(get({Value::Kind::kAbsent}).find("x")->is_absent());
  EXPECT_THROW(get({static_cast<Value::Kind>(77)}), Error);
  EXPECT_THROW(get(std::vector<Value::Kind>(1'000'000, Value::Kind::kSequence)), Error);
}

TEST_F(SharedTensorsTest, ATensorOutsideOfTheMemoryIsRefused) {
  FieldWriter fields;
  fields.put(uint64_t{0});
  fields.put(uint64_t{0});
  fields.put(uint64_t{1});
  fields.put(std::string("x"));
  fields.put(Value::Kind::kTensor);
  fields.put(DataType::kFloat32);
  fields.put(Shape{4});
  fields.put(uint64_t{0});
  fields.put(uint64_t{16});
  FieldReader reader(fields.bytes());
  EXPECT_THROW(importer_.get(reader), Error);
}

TEST(FieldsTest, MetadataAndListsComeBack) {
  const Metadata metadata = {
      {"x", {DataType::kFloat32, DimList{Dim(2), Dim("N"), Dim()}, "doc"}},
      {"y", {DataType::kInt64, std::nullopt, "", DimList{Dim("K")}, ValueKind::kSequence}}};
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
  EXPECT_EQ(read.find("y")->item_shape, metadata.find("y")->item_shape);
  EXPECT_EQ(read.find("y")->kind, ValueKind::kSequence);
  std::vector<std::pair<std::string, std::vector<std::string>>> read_options;
  reader.get(read_options);
  EXPECT_EQ(read_options, options);
  EXPECT_THROW(reader.get<uint64_t>(), Error);
}

}  // namespace
}  // namespace polygraphy
