#include "base/arrays/dtype.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "base/error.h"

namespace polygraphy {
namespace {

TEST(DataType, NumbersAreThoseOfOnnx) {
  EXPECT_EQ(all_data_types().size(), 28u);
  int32_t number = 0;
  for (const DataType type : all_data_types()) {
    EXPECT_EQ(static_cast<int32_t>(type), ++number);
    EXPECT_TRUE(is_known(type));
  }
  EXPECT_EQ(static_cast<int32_t>(DataType::kFloat6E3M2), 28);
  EXPECT_FALSE(is_known(DataType::kUndefined));
  EXPECT_FALSE(is_known(static_cast<DataType>(29)));
  EXPECT_FALSE(is_known(static_cast<DataType>(-1)));
}

TEST(DataType, EveryNameReadsBackInAnyCase) {
  std::set<std::string_view> names;
  for (const DataType type : all_data_types()) {
    EXPECT_TRUE(names.insert(name_of(type)).second) << name_of(type);
    EXPECT_EQ(parse_data_type(name_of(type)), type);
    EXPECT_EQ(parse_data_type(onnx_name_of(type)), type);
    std::string upper(name_of(type));
    for (char& c : upper) c = static_cast<char>(std::toupper(c));
    EXPECT_EQ(parse_data_type(upper), type);
  }
}

TEST(DataType, NamesAreTheOriginals) {
  EXPECT_EQ(name_of(DataType::kFloat32), "float32");
  EXPECT_EQ(name_of(DataType::kFloat4E2M1), "float4");
  EXPECT_EQ(name_of(DataType::kFloat8E4M3FNUZ), "float8e4m3fnuz");
  EXPECT_EQ(name_of(DataType::kFloat8E8M0), "float8e8m0");
  EXPECT_EQ(name_of(static_cast<DataType>(77)), "");
  EXPECT_EQ(onnx_name_of(DataType::kFloat64), "DOUBLE");
  EXPECT_EQ(onnx_name_of(DataType::kUndefined), "");
}

TEST(DataType, ReadsOnnxAndNumpySpellings) {
  EXPECT_EQ(parse_data_type("FLOAT"), DataType::kFloat32);
  EXPECT_EQ(parse_data_type("double"), DataType::kFloat64);
  EXPECT_EQ(parse_data_type("float8_e4m3fn"), DataType::kFloat8E4M3FN);
  EXPECT_EQ(parse_data_type("float4_e2m1fn"), DataType::kFloat4E2M1);
  EXPECT_EQ(parse_data_type("FLOAT4E2M1"), DataType::kFloat4E2M1);
  EXPECT_EQ(parse_data_type("str"), DataType::kString);
  EXPECT_EQ(parse_data_type(""), std::nullopt);
  EXPECT_EQ(parse_data_type("<f4"), std::nullopt);
  EXPECT_EQ(parse_data_type("float33"), std::nullopt);
}

TEST(DataType, KindsAndWidths) {
  EXPECT_TRUE(is_floating(DataType::kBfloat16));
  EXPECT_TRUE(is_floating(DataType::kFloat4E2M1));
  EXPECT_FALSE(is_floating(DataType::kComplex64));
  EXPECT_TRUE(is_integral(DataType::kUint2));
  EXPECT_FALSE(is_integral(DataType::kBool));
  EXPECT_EQ(kind_of(DataType::kUndefined), Kind::kUnknown);
  EXPECT_EQ(bit_width(DataType::kComplex128), 128);
  EXPECT_EQ(bit_width(DataType::kString), 0);
  EXPECT_TRUE(is_packed(DataType::kFloat6E2M3));
  EXPECT_FALSE(is_packed(DataType::kBool));
  EXPECT_FALSE(is_packed(DataType::kString));
}

TEST(StorageBytes, RoundsUpToWholeBytes) {
  EXPECT_EQ(storage_bytes(DataType::kInt4, 0), 0);
  EXPECT_EQ(storage_bytes(DataType::kInt4, 3), 2);
  EXPECT_EQ(storage_bytes(DataType::kUint2, 5), 2);
  EXPECT_EQ(storage_bytes(DataType::kFloat6E3M2, 4), 3);
  EXPECT_EQ(storage_bytes(DataType::kFloat6E3M2, 5), 4);
  EXPECT_EQ(storage_bytes(DataType::kFloat64, 3), 24);
  EXPECT_EQ(storage_bytes(DataType::kString, 3), 0);
  EXPECT_EQ(storage_bytes(static_cast<DataType>(99), 3), 0);
}

TEST(StorageBytes, RefusesWhatDoesNotFit) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(storage_bytes(DataType::kUint8, kMost), kMost);
  EXPECT_EQ(storage_bytes(DataType::kInt4, kMost), kMost / 2 + 1);
  EXPECT_THROW(storage_bytes(DataType::kFloat16, kMost), FormatError);
  EXPECT_THROW(storage_bytes(DataType::kFloat32, -1), FormatError);
  EXPECT_THROW(storage_bytes(DataType::kInt4, -1), FormatError);
}

}  // namespace
}  // namespace polygraphy
