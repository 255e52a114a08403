#include "graphsurgeon/wire/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graphsurgeon/wire/field_gather.h"
#include "graphsurgeon/wire/testdata/message.h"

namespace graphsurgeon::wire {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(const std::string& message) {
  try {
    for (Reader reader(message); reader.next();) {
    }
  } catch (const ParseError& error) {
    return "at " + std::to_string(error.at() - message.data()) + ": " + error.what();
  }
  return "none";
}

TEST(Reader, TellsTheFieldsOfAMessage) {
  const std::string message = num(1, -1) + text(2, "abc") + real(3, 1.5f) + text(4, "") +
                              num(536870911, 7) + std::string("\x31") + "12345678";
  Reader reader(message);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.key(), varint_key(1));
  EXPECT_EQ(reader.as_int64(), -1);
  EXPECT_EQ(reader.as_int32(), -1);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.key(), bytes_key(2));
  EXPECT_EQ(reader.bytes(), "abc");
  EXPECT_EQ(reader.raw(), text(2, "abc"));
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.key(), fixed32_key(3));
  EXPECT_EQ(reader.as_float(), 1.5f);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.bytes(), "");
  EXPECT_NE(reader.bytes().data(), nullptr) << "an empty field differs from none";
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.number(), 536870911u);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.key(), fixed64_key(6));
  EXPECT_EQ(reader.varint(), 0x3837363534333231u);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(Reader("").next());
}

TEST(Reader, ViewsAndCopiesNothing) {
  const std::string message = text(9, "payload");
  Reader reader(message);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.bytes().data(), message.data() + 2);
}

TEST(Reader, SaysWhatIsDamagedAndWhere) {
  EXPECT_EQ(error_of(num(1, 3) + std::string("\x12\x05") + "abc"),
            "at 2: field 2 claims 5 bytes, but only 3 are left");
  EXPECT_EQ(error_of(text(1, "x") + "\x08\x80"), "at 4: truncated inside a number");
  EXPECT_EQ(error_of(std::string("\x08") + std::string(11, '\xff')),
            "at 1: a number of more than 10 bytes");
  EXPECT_EQ(error_of(std::string("\x0d") + "123"),
            "at 0: field 1 claims 4 bytes, but only 3 are left");
  EXPECT_EQ(error_of(std::string("\x09") + "1234567"),
            "at 0: field 1 claims 8 bytes, but only 7 are left");
  EXPECT_EQ(error_of("\x0f"), "at 0: field 1: 7 is not a wire type");
  EXPECT_EQ(error_of(std::string("\x00\x00", 2)), "at 0: 0 is not a field number");
  EXPECT_THAT(error_of(varint(uint64_t{1} << 40) + "x"), HasSubstr("is not a field number"));
  EXPECT_THAT(error_of("\x0c"), HasSubstr("end of a group without a beginning"));
}

TEST(Reader, RefusesLengthsThatDoNotFitBeforeItTouchesAnything) {
  for (const uint64_t length : {uint64_t{4}, uint64_t{1} << 31, uint64_t{1} << 32,
                                (uint64_t{1} << 32) + 3, uint64_t{1} << 63, ~uint64_t{0}}) {
    EXPECT_THAT(error_of("\x0a" + varint(length) + "abc"),
                HasSubstr("claims " + std::to_string(length) + " bytes"));
  }
}

TEST(Reader, KeepsGroupsWhole) {
  const std::string group =
      std::string("\x0b") + num(5, 1) + "\x13" + text(1, "in") + "\x14" + real(2, 1) + "\x0c";
  const std::string message = group + num(2, 9);
  Reader reader(message);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.type(), WireType::kStartGroup);
  EXPECT_EQ(reader.raw(), group);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.varint(), 9u);
  EXPECT_THAT(error_of("\x0b" + num(5, 1)), HasSubstr("a group without an end"));
  // Nested as deep as one likes: no recursion.
  EXPECT_THAT(error_of(std::string(1 << 20, '\x0b')), HasSubstr("a group without an end"));
}

TEST(Reader, EveryPrefixOfAMessageIsReadOrRefused) {
  const std::string message = num(300, 1 << 20) + text(2, std::string(200, 'x')) + real(3, 1) +
                              std::string("\x0b") + num(1, 1) + "\x0c";
  for (size_t cut = 0; cut < message.size(); ++cut) {
    const std::string prefix = message.substr(0, cut);
    std::string found;
    try {
      for (Reader reader(prefix); reader.next();) found += reader.raw();
      EXPECT_EQ(found, prefix);
    } catch (const ParseError& error) {
      EXPECT_GE(error.at(), prefix.data());
      EXPECT_LE(error.at(), prefix.data() + prefix.size());
    }
  }
}

TEST(PackedVarints, AreCountedAndRead) {
  const std::string packed = varint(0) + varint(300) + varint(~uint64_t{0});
  EXPECT_EQ(count_varints(packed), 3u);
  std::vector<uint64_t> values;
  for_each_varint(packed, [&](uint64_t value) { values.push_back(value); });
  EXPECT_THAT(values, ElementsAre(0u, 300u, ~uint64_t{0}));
  EXPECT_EQ(count_varints("\x01\x80"), 1u);
  EXPECT_THROW(for_each_varint("\x01\x80", [](uint64_t) {}), ParseError);
}

TEST(FieldGather, ViewsNeighboursAndCopiesScatteredFields) {
  const std::string message = num(1, 1) + num(9, 2) + num(9, 3) + num(2, 4) + num(9, 5);
  FieldGather gather;
  int found = 0;
  for (Reader reader(message); reader.next();) {
    if (reader.number() != 9) continue;
    gather.add(reader.raw());
    if (++found < 3) {
      EXPECT_TRUE(gather.in_place());
      EXPECT_EQ(gather.fields().data(), message.data() + 2);
    }
  }
  EXPECT_FALSE(gather.in_place());
  EXPECT_EQ(gather.fields(), num(9, 2) + num(9, 3) + num(9, 5));
  gather.clear();
  EXPECT_TRUE(gather.empty());
  EXPECT_TRUE(gather.in_place());
}

}  // namespace
}  // namespace graphsurgeon::wire
