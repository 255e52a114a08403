#include "polygraphy/comparison/compare/pairs/pairing.h"

#include <gtest/gtest.h>

#include "base/testdata/log_text.h"

namespace polygraphy {
namespace {

ArrayMap named(std::initializer_list<const char*> names) {
  ArrayMap outputs;
  for (const char* name : names) outputs.set(name, Array::of<float>({1}, {1}));
  return outputs;
}

class PairingTest : public testing::Test {
 protected:
  // The partners of all outputs of the first result; "-" for none.
  std::string partners(const ArrayMap& outputs0, const ArrayMap& outputs1) {
    OutputPairing pairing(outputs0, outputs1);
    std::string text;
    for (size_t i = 0; i < outputs0.size(); ++i) {
      const auto partner = pairing.partner(i, "R1", log_.log());
      text += (i > 0 ? " " : "") + outputs0.at_index(i).first + "=" +
              (partner ? std::string(partner->name) : "-");
    }
    return text;
  }
  LogText log_{Severity::kVerbose};
};

TEST_F(PairingTest, EqualNamesBelongTogetherWhereverTheyStand) {
  EXPECT_EQ(partners(named({"a", "b"}), named({"b", "c", "a"})), "a=a b=b");
  EXPECT_EQ(log_.take(), "");
}

TEST_F(PairingTest, NamesThatContainEachOtherAreTakenWhateverTheCase) {
  EXPECT_EQ(partners(named({"Logits", "scores:0"}), named({"x", "SCORES", "model/logits"})),
            "Logits=model/logits scores:0=SCORES");
  EXPECT_EQ(log_.take(),
            "[W] Output names did not match exactly. Assuming R1 output: model/logits corresponds "
            "to output: Logits\n"
            "[W] Output names did not match exactly. Assuming R1 output: SCORES corresponds to "
            "output: scores:0\n");
}

TEST_F(PairingTest, OtherwiseThePlaceDecides) {
  EXPECT_EQ(partners(named({"p", "q"}), named({"y", "z"})), "p=y q=z");
}

TEST_F(PairingTest, ButNamesThatAreNumbersAreOfThosePlaces) {
  EXPECT_EQ(partners(named({"q", "r", "s"}), named({"output_1"})), "q=- r=output_1 s=-");
  EXPECT_EQ(partners(named({"out", "p"}), named({"arr_1", "arr_0"})), "out=arr_0 p=arr_1");
}

TEST_F(PairingTest, WhatHasANamesakeIsNotGivenAway) {
  EXPECT_EQ(partners(named({"p", "q"}), named({"q"})), "p=- q=q");
  EXPECT_EQ(log_.take(),
            "[V] Will not compare q with p, since the former already has an exact match: q\n");
}

TEST_F(PairingTest, BeyondTheLastPlaceThereIsNoPartner) {
  EXPECT_EQ(partners(named({"p", "q"}), named({"z"})), "p=z q=-");
  EXPECT_EQ(partners(named({"p"}), named({})), "p=-");
}

}  // namespace
}  // namespace polygraphy
