#include "graphsurgeon/ir/attribute_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/wire/parse_error.h"
#include "graphsurgeon/wire/testdata/message.h"

namespace graphsurgeon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using wire::num;
using wire::real;
using wire::text;

class AttributeCodec : public testing::Test, public SubgraphReader {
 protected:
  AttributeCodec() { store_->retain(); }
  ~AttributeCodec() override { store_->release(); }

  GraphRef read(std::string_view encoded) override {
    return Graph::create(*store_, "read from " + std::to_string(encoded.size()) + " bytes");
  }

  Attribute decode(const std::string& message) {
    auto owner = std::make_shared<std::string>(message);
    auto source = std::make_shared<Source>();
    source->bytes = *owner;
    source->owner = owner;
    source->external = std::make_shared<ExternalFolder>("", "");
    store_->set_source(source);
    sources_.push_back(source);
    return decode_attribute(source->bytes, *store_, this);
  }

  Store* store_ = Store::create();
  std::vector<std::shared_ptr<const Source>> sources_;
};

TEST_F(AttributeCodec, DecodesEachKind) {
  EXPECT_EQ(decode(text(1, "a") + real(2, 1.5f) + num(20, 1)).as_float(), 1.5f);
  EXPECT_EQ(decode(text(1, "a") + num(3, -7) + num(20, 2)).as_int(), -7);
  EXPECT_EQ(decode(text(1, "a") + text(4, "s") + num(20, 3)).as_string(), "s");
  const Attribute tensor = decode(text(5, wire::floats("t", {1, 2})) + num(20, 4));
  EXPECT_EQ(std::get<TensorValue>(tensor.value).name, "t");
  EXPECT_EQ(std::get<TensorValue>(tensor.value).values->size(), 2);
  const Attribute graph = decode(text(6, "12345") + num(20, 5));
  EXPECT_EQ(std::get<GraphRef>(graph.value)->name(), "read from 5 bytes");
  EXPECT_THAT(std::get<std::vector<float>>(decode(real(7, 1) + real(7, 2) + num(20, 6)).value),
              ElementsAre(1, 2));
  EXPECT_THAT(std::get<std::vector<int64_t>>(decode(num(8, 1) + num(8, -2) + num(20, 7)).value),
              ElementsAre(1, -2));
  EXPECT_THAT(std::get<std::vector<std::string_view>>(
                  decode(text(9, "a") + text(9, "") + num(20, 8)).value),
              ElementsAre("a", ""));
  EXPECT_THAT(std::get<std::vector<TensorValue>>(decode(text(10, "") + num(20, 9)).value),
              SizeIs(1));
  EXPECT_THAT(std::get<std::vector<GraphRef>>(decode(text(11, "") + num(20, 10)).value), SizeIs(1));
  const Attribute sparse =
      decode(text(22, text(1, wire::floats("v", {1})) + num(3, 4)) + num(20, 11));
  EXPECT_EQ(std::get<TensorValue>(sparse.value).values->kind(), Payload::Kind::kSparse);
  EXPECT_THAT(std::get<std::vector<TensorValue>>(decode(text(23, "") + num(20, 12)).value),
              SizeIs(1));
}

TEST_F(AttributeCodec, TakesListsPackedOrNot) {
  const std::string packed(
      "\0\0\x80\x3f"
      "\0\0\0\x40",
      8);
  EXPECT_THAT(std::get<std::vector<float>>(decode(text(7, packed) + real(7, 3) + num(20, 6)).value),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(std::get<std::vector<int64_t>>(
                  decode(text(8, wire::varint(300) + wire::varint(2)) + num(20, 7)).value),
              ElementsAre(300, 2));
  EXPECT_THROW(decode(text(7, "12345") + num(20, 6)), wire::ParseError);
}

TEST_F(AttributeCodec, AnEmptyListStaysWhatItWas) {
  const Attribute ints = decode(text(1, "axes") + num(20, 7));
  EXPECT_EQ(ints.type, AttributeType::kInts);
  EXPECT_THAT(std::get<std::vector<int64_t>>(ints.value), IsEmpty());
  EXPECT_THAT(ints.encoded, IsEmpty());
}

TEST_F(AttributeCodec, TellsTheTypeFromTheValueWhereTheFileDoesNot) {
  const Attribute old = decode(text(1, "kernel") + num(8, 3) + num(8, 3));
  EXPECT_EQ(old.type, AttributeType::kInts);
  EXPECT_FALSE(old.typed);
  EXPECT_THAT(std::get<std::vector<int64_t>>(old.value), ElementsAre(3, 3));
}

TEST_F(AttributeCodec, ReferencesHaveNoValue) {
  const Attribute reference = decode(text(1, "a") + num(20, 1) + text(21, "alpha"));
  EXPECT_EQ(reference.ref_attr_name, "alpha");
  EXPECT_EQ(reference.type, AttributeType::kFloat);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(reference.value));
  EXPECT_THAT(reference.encoded, IsEmpty());
  // With a dummy value besides (the original writes such): kept as it is.
  EXPECT_THAT(decode(num(3, 1) + num(20, 2) + text(21, "alpha")).encoded, SizeIs(13));
}

TEST_F(AttributeCodec, WhatItCannotSayItKeepsEncoded) {
  for (const std::string& odd :
       {text(14, "") + num(20, 13), num(20, 99), std::string(text(1, "nothing")), num(20, 1),
        num(3, 1) + num(20, 1), num(3, 1) + real(2, 1) + num(20, 2),
        num(3, 1) + num(3, 2) + num(20, 2)}) {
    EXPECT_EQ(decode(odd).encoded, odd);
  }
  EXPECT_EQ(decode(num(3, 1) + num(3, 2) + num(20, 2)).as_int(), 2) << "the last one counts";
  EXPECT_EQ(decode(num(3, 1) + text(13, "doc") + num(20, 2) + num(50, 1)).unknown_fields,
            text(13, "doc") + num(50, 1));
}

TEST_F(AttributeCodec, NamesTheDamagedAttribute) {
  const std::string fields = text(5, text(1, "fine") + num(3, 1) + num(20, 2)) +
                             text(5, text(1, "bad") + text(5, "\x0a\x05") + num(20, 4));
  auto source = std::make_shared<Source>();
  source->bytes = fields;
  store_->set_source(source);
  try {
    decode_attributes(fields, *store_, nullptr);
    FAIL();
  } catch (const wire::ParseError& error) {
    EXPECT_THAT(error.what(), HasSubstr("attribute 1 ('bad'): "));
  }
}

TEST(ScanAttributes, FindsGraphsAndExternalData) {
  const auto scan = [](const std::string& attribute) {
    bool external = false;
    const bool graphs = scan_attributes(text(5, attribute), &external);
    return std::pair(graphs, external);
  };
  EXPECT_EQ(scan(num(3, 1)), std::pair(false, false));
  EXPECT_EQ(scan(text(6, "")), std::pair(true, false));
  EXPECT_EQ(scan(text(11, "")), std::pair(true, false));
  EXPECT_EQ(scan(text(5, num(14, 1))), std::pair(false, true));
  EXPECT_EQ(scan(text(5, num(14, 0))), std::pair(false, false));
  EXPECT_EQ(scan(text(22, text(2, num(14, 1)))), std::pair(false, true));
}

}  // namespace
}  // namespace graphsurgeon
