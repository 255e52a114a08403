#include "graphsurgeon/ir/payloads/encoded_payload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/ir/payloads/tensor_codec.h"
#include "graphsurgeon/wire/parse_error.h"
#include "graphsurgeon/wire/testdata/message.h"

namespace graphsurgeon {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using wire::num;
using wire::text;

std::shared_ptr<const Source> source_of(std::string bytes) {
  auto owner = std::make_shared<std::string>(std::move(bytes));
  auto source = std::make_shared<Source>();
  source->name = "model.onnx";
  source->bytes = *owner;
  source->owner = owner;
  source->external = std::make_shared<ExternalFolder>("", "", "no folder here");
  return source;
}

DecodedTensor decode(const std::string& message) {
  const auto source = source_of(message);
  return decode_tensor(source->bytes, source);
}

std::string from_hex(const std::string& hex) {
  std::string bytes;
  if (hex == "-") return bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// testdata/tensors.txt holds the array of onnx.numpy_helper.to_array for each message.
TEST(EncodedPayload, GivesWhatOnnxGivesForEveryTypeAndEncoding) {
  std::ifstream in(PG_SOURCE_DIR "/src/graphsurgeon/ir/testdata/tensors.txt");
  std::string line;
  int cases = 0;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string name, dims, message, values;
    int type;
    words >> name >> type >> dims >> message >> values;
    SCOPED_TRACE(name);
    const DecodedTensor tensor = decode(from_hex(message));
    ASSERT_EQ(static_cast<int>(tensor.values->dtype()), type);
    const Array array = tensor.values->load(name).contiguous_aligned();
    EXPECT_EQ(array.dtype(), tensor.values->dtype());
    Shape shape;
    if (dims != "-") {
      for (const auto& dim : split(dims, ',')) shape.push_back(std::stoll(dim));
    }
    EXPECT_EQ(array.shape(), shape);
    EXPECT_EQ(tensor.values->shape(), shape);
    EXPECT_EQ(tensor.values->size(), array.size());
    if (array.dtype() == DataType::kString) {
      std::vector<std::string> texts;
      if (values != "-") {
        for (const auto& text : split(values, ',')) texts.push_back(from_hex(text));
      }
      EXPECT_THAT(array.strings(), testing::ElementsAreArray(texts));
      int64_t bytes = 0;
      for (const auto& text : texts) bytes += std::ssize(text);
      EXPECT_EQ(tensor.values->nbytes(), bytes);
    } else {
      const auto bytes = array.bytes();
      EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                from_hex(values));
      EXPECT_EQ(tensor.values->nbytes(), std::ssize(bytes));
    }
    ++cases;
  }
  EXPECT_GT(cases, 200);
}

TEST(EncodedPayload, ViewsRawDataAndPackedFloatsInPlace) {
  const auto source = source_of(wire::floats("w", {1, 2}));
  const DecodedTensor raw = decode_tensor(source->bytes, source);
  EXPECT_EQ(reinterpret_cast<const char*>(raw.values->load("w").data()),
            source->bytes.data() + source->bytes.size() - 8);
  const auto typed = source_of(num(1, 1) + num(2, 1) + text(4, "\x01\x02\x03\x04"));
  const DecodedTensor packed = decode_tensor(typed->bytes, typed);
  EXPECT_EQ(reinterpret_cast<const char*>(packed.values->load("w").data()),
            typed->bytes.data() + typed->bytes.size() - 4);
}

TEST(EncodedPayload, OutlivesTheModel) {
  Array array;
  {
    const auto source = source_of(wire::floats("w", {1, 2}));
    array = decode_tensor(source->bytes, source).values->load("w");
  }
  EXPECT_EQ(array.get_double(1), 2.0);
}

std::string load_error(const std::string& message) {
  try {
    const DecodedTensor tensor = decode(message);
    (void)tensor.values->load("w");
  } catch (const polygraphy::Error& error) {
    return error.what();
  }
  return "none";
}

TEST(EncodedPayload, SaysWhichLengthDoesNotMatch) {
  EXPECT_EQ(load_error(num(1, 3) + num(2, 1) + text(9, "12345678")),
            "model.onnx: at byte 4: tensor 'w' (float32[3]): raw_data holds 8 bytes, but type and "
            "shape need 12");
  EXPECT_THAT(load_error(num(1, 3) + num(2, 7) + text(7, wire::varint(1))),
              HasSubstr("int64_data holds 1 values, but type and shape need 3"));
  EXPECT_THAT(load_error(num(1, 3) + num(2, 22) + text(5, wire::varint(1))),
              HasSubstr("int32_data holds 1 values, but type and shape need 2"));
  EXPECT_THAT(load_error(num(1, 1) + num(2, 14) + text(4, "1234")),
              HasSubstr("float_data holds 1 values, but type and shape need 2"));
  EXPECT_THAT(load_error(num(1, 1) + num(2, 1) + text(4, "12345")),
              HasSubstr("a packed field that does not end with a value"));
  EXPECT_THAT(load_error(num(1, 2) + num(2, 8) + text(6, "one")),
              HasSubstr("string_data holds 1 texts, but the shape needs 2"));
  EXPECT_THAT(load_error(num(1, 2) + num(2, 1)),
              HasSubstr("float_data holds 0 values, but type and shape need 2"));
  EXPECT_THAT(load_error(num(1, 1) + num(2, 7) + text(7, "\x80")),
              HasSubstr("int64_data holds 0 values"));
  // A wrong field for the type is not data.
  EXPECT_THAT(load_error(num(1, 1) + num(2, 1) + text(7, wire::varint(1))),
              HasSubstr("float_data holds 0 values"));
}

TEST(EncodedPayload, RefusesTypesThatNobodyKnows) {
  EXPECT_THAT(load_error(text(9, "abc")), HasSubstr("element type 0"));
  EXPECT_THAT(load_error(num(2, 99) + text(9, "abc")), HasSubstr("element type 99"));
}

TEST(EncodedPayload, ChecksCountsBeforeItAllocates) {
  // 2^61 elements, with data for three of them.
  EXPECT_THAT(load_error(num(1, int64_t{1} << 59) + num(2, 7) + text(7, "abc")),
              HasSubstr("int64_data holds 3 values, but type and shape need 576460752303423488"));
  EXPECT_THAT(load_error(num(1, int64_t{1} << 61) + num(2, 8)), HasSubstr("string_data holds 0"));
  EXPECT_THAT(load_error(num(1, int64_t{1} << 62) + num(2, 2) + text(9, "abc")),
              HasSubstr("raw_data holds 3 bytes"));
}

TEST(DecodeTensor, RefusesDimensionsThatMakeNoSense) {
  EXPECT_THROW(decode(num(1, -1) + num(2, 1)), wire::ParseError);
  EXPECT_THROW(decode(num(1, int64_t{1} << 40) + num(1, int64_t{1} << 40) + num(2, 1)),
               wire::ParseError);
  EXPECT_THROW(decode(num(1, int64_t{1} << 62) + num(2, 11)), wire::ParseError);
}

TEST(DecodeTensor, KeepsWhatItDoesNotModel) {
  const DecodedTensor tensor = decode(num(2, 1) + text(3, "segment") + text(8, "w") +
                                      text(12, "doc") + text(16, "meta") + num(77, 1));
  EXPECT_EQ(tensor.name, "w");
  EXPECT_EQ(tensor.unknown, text(3, "segment") + text(12, "doc") + text(16, "meta") + num(77, 1));
  EXPECT_EQ(decode(num(2, 1)).name.data(), nullptr);
}

TEST(DecodeTensor, TellsExternalOnesWithoutReadingThem) {
  const std::string message = num(1, 2) + num(2, 1) +
                              text(13, text(1, "location") + text(2, "w.bin")) +
                              text(13, text(1, "offset") + text(2, "16")) +
                              text(13, text(1, "checksum") + text(2, "abc")) + num(14, 1);
  EXPECT_TRUE(is_external(message));
  const DecodedTensor tensor = decode(message);
  ASSERT_EQ(tensor.values->kind(), Payload::Kind::kExternal);
  EXPECT_EQ(tensor.values->external()->location, "w.bin");
  EXPECT_EQ(tensor.values->external()->offset, 16);
  EXPECT_EQ(tensor.values->external()->length, -1);
  EXPECT_THAT(tensor.values->external()->other,
              testing::ElementsAre(testing::Pair("checksum", "abc")));
  EXPECT_EQ(tensor.values->nbytes(), 8);
  EXPECT_EQ(load_error(message), "tensor 'w': no folder here");
  EXPECT_FALSE(is_external(num(14, 0)));
}

}  // namespace
}  // namespace graphsurgeon
