#include "polygraphy/diagnosis/locate/parts/locate_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace polygraphy {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

LocateRecord record() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  LocateRecord record{.format = NumberFormat::kFloat16,
                      .target_format = NumberFormat::kBfloat16,
                      .samples = 2,
                      .parts = 3,
                      .part_bytes = 1 << 20};
  record.outputs.measure = "3× the float16 noise";
  record.outputs.pairs.push_back(
      {.reference = "a",
       .target = "b",
       .samples = {{.units = {{.name = "y", .agreement = Agreement::kAgrees}}}}});
  record.fusion =
      LocateFusion{.tensors = {"hidden"}, .on_both_sides = true, .first_off = "h", .note = "n"};
  record.notes = {"a note"};
  TensorMeasurement& measured = record.measurements["hidden \"1\""];
  measured.accumulated = JudgedError{.noise_norm = 0.1, .ratio = kInfinity};
  measured.accumulated->error.largest = std::numeric_limits<double>::quiet_NaN();
  measured.accumulated->error.incomparable = "other shapes";
  measured.accumulated_noise.resize(2);
  measured.accumulated_noise[1].largest = 1.0 / 3;
  measured.range = {.least = -1, .greatest = 65504, .empty = false};
  measured.format = NumberFormat::kFloat16;
  measured.behind_ties = true;
  return record;
}

LocateRecord alone(double ratio) {
  LocateRecord part = record();
  part.measurements.clear();
  part.measurements["hidden \"1\""].isolated = JudgedError{.ratio = ratio};
  part.measurements["hidden \"1\""].note = "it did not run";
  return part;
}

TEST(LocateRecord, ComesBackFromJson) {
  const std::string json = to_json(record());
  const LocateRecord back = parse_locate_record(json, "record");
  EXPECT_EQ(to_json(back), json);
  const TensorMeasurement& measured = back.measurements.at("hidden \"1\"");
  EXPECT_EQ(measured.accumulated->ratio, std::numeric_limits<double>::infinity());
  EXPECT_EQ(measured.accumulated_noise[1].largest, 1.0 / 3);
  EXPECT_EQ(measured.accumulated->error.incomparable, "other shapes");
  EXPECT_EQ(back.outputs.verdict().agreement, Agreement::kAgrees);
  EXPECT_EQ(back.fusion->tensors, record().fusion->tensors);
  EXPECT_TRUE(back.fusion->on_both_sides);
  EXPECT_EQ(back.fusion->first_off, "h");
  EXPECT_EQ(back.fusion->note, "n");
}

TEST(LocateRecord, GetsErrorsAlone) {
  LocateRecord whole = record();
  add_alone(whole, alone(7));
  const TensorMeasurement& measured = whole.measurements.at("hidden \"1\"");
  EXPECT_EQ(measured.isolated->ratio, 7);
  EXPECT_EQ(measured.note, "it did not run");
  EXPECT_TRUE(measured.behind_ties);
}

TEST(LocateRecord, RefusesErrorsOfOtherParts) {
  LocateRecord whole = record(), other = alone(7);
  other.parts = 4;
  const std::string before = to_json(whole);
  EXPECT_THAT([&] { add_alone(whole, other); }, ThrowsMessage<Error>(HasSubstr("other parts")));
  EXPECT_EQ(to_json(whole), before);
}

TEST(LocateRecord, RefusesOtherDocuments) {
  EXPECT_THAT([] { parse_locate_record("{}", "x.json"); },
              ThrowsMessage<Error>(HasSubstr("not a record of located nodes")));
  EXPECT_THAT([] { parse_locate_record(R"({"polygraphy_locate_record":1})", "x.json"); },
              ThrowsMessage<Error>(HasSubstr("not a record of located nodes")));
  std::string json = to_json(record());
  json.replace(json.find("\"float16\""), 9, "\"float17\"");
  EXPECT_THAT([&] { parse_locate_record(json, "x.json"); },
              ThrowsMessage<Error>(HasSubstr("unknown word 'float17'")));
}

}  // namespace
}  // namespace polygraphy
