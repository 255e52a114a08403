#include "graphsurgeon/ir/payloads/sparse_payload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"

namespace graphsurgeon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<SparsePayload> sparse(Array values, Array indices, Shape shape) {
  const DataType dtype = values.dtype();
  return std::make_shared<SparsePayload>(
      dtype, std::move(shape), DecodedTensor{"w", owned_payload(std::move(values)), {}},
      DecodedTensor{"", owned_payload(std::move(indices)), {}}, std::string_view(), nullptr);
}

std::vector<double> values_of(const Array& array) {
  std::vector<double> values;
  for (int64_t i = 0; i < array.size(); ++i) values.push_back(array.get_double(i));
  return values;
}

TEST(SparsePayload, PlacesValuesByFlatIndex) {
  const auto payload =
      sparse(Array::of<float>({2}, {1.5f, -2}), Array::of<int64_t>({2}, {1, 5}), {2, 3});
  EXPECT_EQ(payload->dtype(), DataType::kFloat32);
  EXPECT_EQ(payload->nbytes(), 24) << "of the dense form";
  const Array dense = payload->load("w");
  EXPECT_EQ(dense.dtype(), DataType::kFloat32) << "not float64, as in the original";
  EXPECT_THAT(values_of(dense), ElementsAre(0, 1.5, 0, 0, 0, -2));
}

TEST(SparsePayload, PlacesValuesByCoordinates) {
  const auto payload = sparse(Array::of<int64_t>({2}, {7, 8}),
                              Array::of<int64_t>({2, 3}, {0, 1, 0, 1, 0, 1}), {2, 2, 2});
  EXPECT_THAT(values_of(payload->load("w")), ElementsAre(0, 0, 7, 0, 0, 8, 0, 0));
}

TEST(SparsePayload, OfRankOneTakesBothLayouts) {
  EXPECT_THAT(
      values_of(sparse(Array::of<float>({1}, {3}), Array::of<int64_t>({1}, {2}), {3})->load("w")),
      ElementsAre(0, 0, 3));
  EXPECT_THAT(
      values_of(
          sparse(Array::of<float>({1}, {3}), Array::of<int64_t>({1, 1}, {2}), {3})->load("w")),
      ElementsAre(0, 0, 3));
}

TEST(SparsePayload, WithoutValuesIsAllZero) {
  const auto payload =
      sparse(Array::zeros(DataType::kFloat16, {0}), Array::zeros(DataType::kInt64, {0}), {4});
  EXPECT_THAT(values_of(payload->load("w")), ElementsAre(0, 0, 0, 0));
}

TEST(SparsePayload, PlacesPackedElementsAndTexts) {
  const uint8_t packed[] = {0x21, 0x03};  // 1, 2, 3
  const Array nibbles = Array::view(DataType::kUint4, {3}, packed, nullptr);
  const Array dense = sparse(nibbles, Array::of<int64_t>({3}, {0, 3, 4}), {5})->load("w");
  EXPECT_THAT(dense.bytes(), ElementsAre(std::byte{0x01}, std::byte{0x20}, std::byte{0x03}));

  const uint8_t twos[] = {0b1101};  // 1, 3
  const Array pairs = Array::view(DataType::kInt2, {2}, twos, nullptr);
  EXPECT_THAT(sparse(pairs, Array::of<int64_t>({2}, {2, 5}), {6})->load("w").bytes(),
              ElementsAre(std::byte{0b010000}, std::byte{0b1100}));

  const Array texts = Array::from_strings({1}, {"x"});
  EXPECT_THAT(sparse(texts, Array::of<int64_t>({1}, {1}), {3})->load("w").strings(),
              ElementsAre("", "x", ""));
}

std::string load_error(const std::shared_ptr<SparsePayload>& payload) {
  try {
    (void)payload->load("w");
  } catch (const polygraphy::Error& error) {
    return error.what();
  }
  return "none";
}

TEST(SparsePayload, SaysWhichIndexIsOutside) {
  const Array one = Array::of<float>({1}, {1});
  EXPECT_THAT(load_error(sparse(one, Array::of<int64_t>({1}, {6}), {2, 3})),
              HasSubstr("sparse tensor 'w': index 6 is outside of its 6 elements"));
  EXPECT_THAT(load_error(sparse(one, Array::of<int64_t>({1}, {-1}), {2, 3})), HasSubstr("-1"));
  EXPECT_THAT(load_error(sparse(one, Array::of<int64_t>({1, 2}, {0, 3}), {2, 3})),
              HasSubstr("index 3 of value 0 is outside of dimension 1, which is 3"));
}

TEST(SparsePayload, SaysWhatDoesNotFitTogether) {
  const Array one = Array::of<float>({1}, {1});
  EXPECT_THAT(load_error(sparse(one, Array::of<int64_t>({2}, {0, 1}), {2, 3})),
              HasSubstr("indices have the shape [2]; 1 values of a tensor of rank 2 need [1] or "
                        "[1, 2]"));
  EXPECT_THAT(load_error(sparse(one, Array::of<int32_t>({1}, {0}), {2})),
              HasSubstr("indices have type int32, but must be int64"));
  EXPECT_THAT(load_error(sparse(Array::of<float>({1, 1}, {1}), Array::of<int64_t>({1}, {0}), {2})),
              HasSubstr("its values have rank 2"));
  const SparsePayload hollow(DataType::kFloat32, {2}, {}, {}, {}, nullptr);
  EXPECT_THROW((void)hollow.load("w"), polygraphy::FormatError);
}

TEST(SparsePayload, RefusesADenseFormThatIsAbsurdlyLarge) {
  EXPECT_THAT(load_error(sparse(Array::of<double>({1}, {1}), Array::of<int64_t>({1}, {0}),
                                {int64_t{1} << 57})),
              HasSubstr("its dense form would need 1152921504606846976 bytes"));
}

}  // namespace
}  // namespace graphsurgeon
