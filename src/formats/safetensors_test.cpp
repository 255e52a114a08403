#include "formats/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "base/os/mapped_file.h"
#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

// A file with this header, padded to 8 bytes, and these bytes behind it.
std::string file_with(std::string header, std::string_view data) {
  while (header.size() % 8 != 0) header += ' ';
  uint64_t length = header.size();
  std::string prefix(8, '\0');
  std::memcpy(prefix.data(), &length, 8);
  return prefix + header + std::string(data);
}

TensorFile read(const std::string& text) {
  auto owner = std::make_shared<std::string>(text);
  return read_safetensors(std::as_bytes(std::span(*owner)), owner, "f");
}

std::string failure(const std::string& text) {
  try {
    for (const auto& tensor : read(text).tensors) tensor.load();
  } catch (const FormatError& error) {
    return error.what();
  }
  return "no error";
}

constexpr std::string_view kEight("\1\0\0\0\2\0\0\0", 8);

TEST(Safetensors, ReadsWhatOthersWrite) {
  const TensorFile file = read(file_with(
      R"({"__metadata__":{"format":"pt"},"a":{"dtype":"I32","shape":[2],"data_offsets":[0,8]},)"
      R"("b":{"dtype":"BF16","shape":[1,2],"data_offsets":[0,4]},)"
      R"("e":{"dtype":"F32","shape":[0,3],"data_offsets":[8,8]}})",
      kEight));
  ASSERT_EQ(file.tensors.size(), 3u);
  EXPECT_EQ(file.tensors[0].name, "a");
  EXPECT_TRUE(bitwise_equal(file.tensors[0].load(), Array::of<int32_t>({2}, {1, 2})));
  EXPECT_EQ(file.tensors[1].load().dtype(), DataType::kBfloat16);
  EXPECT_EQ(file.tensors[2].load().shape(), (Shape{0, 3}));
  EXPECT_EQ(file.metadata, "");
}

TEST(Safetensors, CopiesArraysAtOddAddresses) {
  const TensorFile file = read(file_with(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                         R"("b":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}})",
                                         std::string_view("\7\0\0\x80\x3f", 5)));
  EXPECT_TRUE(bitwise_equal(file.tensors[1].load(), Array::of<float>({1}, {1})));
}

TEST(Safetensors, DamagedFilesAreErrorsThatNameTheArray) {
  EXPECT_THAT(
      failure(file_with(R"({"a":{"dtype":"I32","shape":[3],"data_offsets":[0,12]}})", kEight)),
      HasSubstr("f: 'a': truncated: its values are at bytes 0 to 12, but 8 bytes follow"));
  EXPECT_THAT(
      failure(file_with(R"({"a":{"dtype":"I32","shape":[3],"data_offsets":[0,8]}})", kEight)),
      HasSubstr("f: 'a': I32 of shape (3,) needs 12 bytes, but has 8."));
  EXPECT_THAT(failure(file_with(R"({"a":{"dtype":"Q9","shape":[],"data_offsets":[0,8]}})", kEight)),
              HasSubstr("data type 'Q9' is not supported"));
  EXPECT_THAT(
      failure(file_with(R"({"a":{"dtype":"U8","shape":[-8],"data_offsets":[0,8]}})", kEight)),
      HasSubstr("f: 'a': "));
  EXPECT_THAT(failure(file_with(R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},)"
                                R"("a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}})",
                                kEight)),
              HasSubstr("occurs twice"));
  EXPECT_THAT(failure(std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10)),
              HasSubstr("not a safetensors file, or truncated"));
  EXPECT_THAT(failure("x"), HasSubstr("too short"));
}

TEST(Safetensors, AHeaderThatOutgrowsItsRoomMovesTheArrays) {
  TemporaryFolder folder;
  const std::string path = folder / "x.safetensors";
  SafetensorsWriter writer(path, 16);
  constexpr int kCount = 300;
  for (int i = 0; i < kCount; ++i) {
    writer.add("array" + std::to_string(i), Array::of<int64_t>({1}, {int64_t{i}}));
  }
  writer.finish({{"polygraphy", "note"}});
  const auto mapped = MappedFile::open(path);
  const TensorFile file = read_safetensors(mapped->bytes(), mapped, path);
  EXPECT_EQ(file.metadata, "note");
  ASSERT_EQ(file.tensors.size(), size_t{kCount});
  for (int i = 0; i < kCount; ++i) {
    EXPECT_EQ(file.tensors[static_cast<size_t>(i)].load().get_int64(0), i);
  }
}

TEST(Safetensors, TypesThatTheFormatLacksGoThroughBytes) {
  const Array texts = Array::from_strings({2, 1}, {"", std::string("a\0b", 3)});
  EXPECT_FALSE(safetensors_has(texts));
  EXPECT_TRUE(bitwise_equal(from_bytes(to_bytes(texts), DataType::kString, {2, 1}, "t"), texts));
  const Array nibbles = Array::zeros(DataType::kInt4, {3});
  EXPECT_EQ(to_bytes(nibbles).size(), 2);
  EXPECT_TRUE(bitwise_equal(from_bytes(to_bytes(nibbles), DataType::kInt4, {3}, "n"), nibbles));
  EXPECT_THROW(from_bytes(to_bytes(nibbles), DataType::kInt4, {9}, "n"), FormatError);
  EXPECT_THROW(from_bytes(to_bytes(nibbles), DataType::kString, {1}, "n"), FormatError);
}

TEST(Safetensors, APipeIsAnErrorBeforeAnythingIsWritten) {
  EXPECT_THROW(SafetensorsWriter("/dev/null"), IoError);
}

}  // namespace
}  // namespace polygraphy
