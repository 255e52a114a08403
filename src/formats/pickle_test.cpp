#include "formats/pickle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;
using namespace std::string_literals;

Pickle read(const std::string& text) {
  return read_pickle(std::as_bytes(std::span(text)), "p");
}

std::string failure(const std::string& text) {
  try {
    read(text);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "no error";
}

// The value as Python writes it; a call as its name and arguments, its attributes as a dict.
std::string text_of(const Pickle& pickle, uint32_t place) {
  const PickleValue& value = pickle.at(place);
  std::string items;
  for (const uint32_t item : value.items) items += text_of(pickle, item) + ",";
  switch (value.kind) {
    case PickleKind::kOpaque:
      return "?";
    case PickleKind::kInteger:
      return std::to_string(value.number);
    case PickleKind::kText:
      return "'" + value.text + "'";
    case PickleKind::kGlobal:
      return value.text;
    case PickleKind::kTuple:
      return "(" + items + ")";
    case PickleKind::kList:
      return "[" + items + "]";
    case PickleKind::kDict:
      return "{" + items + "}";
    case PickleKind::kCall:
      return text_of(pickle, value.callee) + text_of(pickle, value.arguments) +
             (items.empty() ? "" : "{" + items + "}");
    case PickleKind::kPersistent:
      return "<" + items + ">";
  }
  return {};
}

std::string text_of(const std::string& text) {
  const Pickle pickle = read(text);
  return text_of(pickle, pickle.root);
}

TEST(Pickle, Numbers) {
  EXPECT_EQ(text_of("\x80\2K\xff."s), "255");
  EXPECT_EQ(text_of("\x80\2M\1\2."s), "513");
  EXPECT_EQ(text_of("\x80\2J\xfe\xff\xff\xff."s), "-2");
  EXPECT_EQ(text_of("\x80\2\x8a\0."s), "0");
  EXPECT_EQ(text_of("\x80\2\x8a\2\0\xff."s), "-256");
  EXPECT_EQ(text_of("\x80\2\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f."s), "9223372036854775807");
  EXPECT_EQ(text_of("\x80\2\x8a\x09\0\0\0\0\0\0\0\0\1."s), "?");
  EXPECT_EQ(text_of("\x80\2(N\x88\x89G\x3f\xf0\0\0\0\0\0\0t."s), "(?,?,?,?,)");
}

TEST(Pickle, TextsAndContainers) {
  EXPECT_EQ(text_of("\x80\2X\2\0\0\0ab."s), "'ab'");
  EXPECT_EQ(text_of("\x80\4\x95\0\0\0\0\0\0\0\0\x8c\1a\x94."s), "'a'");
  EXPECT_EQ(text_of("\x80\2)K\1\x85K\1K\2\x86K\1K\2K\3\x87."s), "(1,2,3,)");
  EXPECT_EQ(text_of("\x80\2]K\1a(K\2K\3e."s), "[1,2,3,]");
  EXPECT_EQ(text_of("\x80\2}K\1K\2s(K\3K\4u."s), "{1,2,3,4,}");
  EXPECT_EQ(text_of("\x80\2}q\1h\1h\1\x86."s), "({},{},)");
  EXPECT_EQ(text_of("\x80\4]\x94}\x94h\1h\0\x86."s), "({},[],)");
}

TEST(Pickle, CallsStayValues) {
  EXPECT_EQ(text_of("\x80\2cos\nsystem\nX\2\0\0\0ls\x85R."s), "os.system('ls',)");
  EXPECT_EQ(text_of("\x80\4\x8c\2os\x8c\6system\x93)\x81}b."s), "os.system()");
  EXPECT_EQ(text_of("\x80\2cm\nD\n)RK\1K\2s."s), "m.D(){1,2,}");
  EXPECT_EQ(text_of("\x80\2K\7Q."s), "<7,>");
}

TEST(Pickle, MayContainItself) {
  const Pickle pickle = read("\x80\2]q\0h\0a."s);
  ASSERT_EQ(pickle.at(pickle.root).items.size(), 1u);
  EXPECT_EQ(pickle.at(pickle.root).items.front(), pickle.root);
}

TEST(Pickle, SaysWhatIsWrong) {
  EXPECT_EQ(failure("\x80\2"s), "p: the pickle is truncated (byte 2).");
  EXPECT_THAT(failure("\x80\2X\xff\xff\xff\xff."s), HasSubstr("is truncated"));
  EXPECT_THAT(failure("\x80\2cos"s), HasSubstr("is truncated"));
  EXPECT_THAT(failure("\x80\1."s), HasSubstr("is of protocol 1"));
  EXPECT_THAT(failure("\x80\2."s), HasSubstr("takes a value where none is"));
  EXPECT_THAT(failure("\x80\2K\1(\x85."s), HasSubstr("takes a value where none is"));
  EXPECT_THAT(failure("\x80\2t."s), HasSubstr("goes back to a mark where none is"));
  EXPECT_THAT(failure("\x80\2}K\1a."s), HasSubstr("appends to a value that is not a list"));
  EXPECT_THAT(failure("\x80\2]K\1K\2s."s), HasSubstr("sets an item of a value that is not a dict"));
  EXPECT_THAT(failure("\x80\2}(K\1u."s), HasSubstr("has a key without a value"));
  EXPECT_THAT(failure("\x80\2h\1."s), HasSubstr("refers to a value that it does not have"));
  EXPECT_THAT(failure("\x80\2K\1)R."s), HasSubstr("calls a value that is not a name"));
  EXPECT_THAT(failure("\x80\2K\1K\1\x93."s), HasSubstr("has a name that is not a text"));
  EXPECT_THAT(failure("\x80\2}}b."s), HasSubstr("sets attributes of plain data"));
  EXPECT_EQ(failure("\x80\2(i"s),
            "p: the pickle has an object that is not plain data, of opcode 0x69 (byte 4).");
}

TEST(Pickle, HasLimits) {
  EXPECT_THAT(failure("\x80\2" + std::string(2000, '(')), HasSubstr("deeper than 1,000 marks"));
  EXPECT_THAT(failure("\x80\2" + std::string(5 << 20, ')')), HasSubstr("4 million values"));
  EXPECT_THAT(failure("\x80\2" + std::string(65 << 20, 'N')), HasSubstr("more than 64 MiB"));
  EXPECT_THAT(failure("\x80\2c" + std::string(300, 'a') + "\nb\n."),
              HasSubstr("a name of more than 256 bytes"));
}

}  // namespace
}  // namespace polygraphy
