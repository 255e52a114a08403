#include "formats/record_json.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"

namespace polygraphy {
namespace fruits {

enum class Taste { kSweet, kSour };
std::string_view name_of(Taste taste) {
  return taste == Taste::kSweet ? "sweet" : "sour";
}
constexpr std::array<Taste, 2> all_of(RecordOf<Taste>) {
  return {Taste::kSweet, Taste::kSour};
}

struct Fruit {
  std::string name;
  Taste taste = Taste::kSour;
  std::optional<double> weight = {};
  std::string note = {};
  int64_t seeds = 0;

  bool heavy() const { return weight && *weight > 1; }
};
constexpr auto record_of(RecordOf<Fruit>) {
  return record<Fruit>("Fruit", "One piece.", member("name", &Fruit::name, "Its name."),
                       member("taste", &Fruit::taste, "When it is ripe."),
                       member("weight", &Fruit::weight, "In kg, or null."),
                       member("note", &Fruit::note, "A sentence.").if_set(),
                       derived("heavy", &Fruit::heavy, "More than 1 kg."),
                       count("seeds", &Fruit::seeds, "How many.").if_set());
}

struct Choice {
  std::string name = {};
  int64_t grams = 0;
};
constexpr auto record_of(RecordOf<Choice>) {
  return record<Choice>("Choice", "Of a fruit.",
                        member("name", &Choice::name, "Its name.").needed(),
                        mapped(
                            "kilograms", [](const Choice& of) { return of.grams / 1000; },
                            [](Choice& of, int64_t weight) {
                              if (weight < 0) throw Error("a weight is at least 0.");
                              of.grams = 1000 * weight;
                            },
                            "Its weight."));
}

struct Basket {
  std::vector<Fruit> fruits = {};
  OrderedMap<double> prices = {};
  std::vector<Fruit> many = {};
  std::optional<Choice> best = {};
};
constexpr auto record_of(RecordOf<Basket>) {
  return record<Basket>("Basket", "Fruits.", form("a_basket", 2),
                        member("fruits", &Basket::fruits, "Those inside."),
                        member("prices", &Basket::prices, "By name."),
                        member("many", &Basket::many, "In rows.").rows(),
                        member("best", &Basket::best, "One of them, or null.").if_set());
}

}  // namespace fruits

namespace {

using fruits::Basket;
using fruits::Taste;

Basket parse(std::string_view text) {
  return parse_record<Basket>(text, "basket.json", "this is not a basket.");
}

std::string message(std::string_view text) {
  try {
    parse(text);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

const Basket kBasket{
    .fruits = {{.name = "plum", .taste = Taste::kSweet, .weight = 0.25, .seeds = 1}},
    .prices = {{"plum", std::numeric_limits<double>::infinity()}, {"lime", 2}},
    .many = {{.name = "lime", .note = "green"}, {.name = "fig"}}};

constexpr std::string_view kLine =
    R"({"a_basket":2,"fruits":[{"name":"plum","taste":"sweet","weight":0.25,"heavy":false,"seeds":1}],)"
    R"("prices":{"plum":"Infinity","lime":2.0},"many":[["lime","sour",null,"green"],["fig"]]})"
    "\n";

TEST(RecordJson, WritesObjectsAndRows) {
  EXPECT_EQ(record_line(kBasket), kLine);
}

TEST(RecordJson, ReadsWhatItWrites) {
  const Basket read = parse(kLine);
  EXPECT_EQ(record_line(read), kLine);
  EXPECT_EQ(record_json(read), record_json(kBasket));
}

TEST(RecordJson, SkipsUnknownAndDerivedMembers) {
  const Basket read = parse(R"({"a_basket":2,"more":[{}],"fruits":[{"heavy":true,"x":1}]})");
  ASSERT_EQ(read.fruits.size(), 1U);
  EXPECT_FALSE(read.fruits[0].heavy());
}

TEST(RecordJson, RefusesOtherDocuments) {
  EXPECT_EQ(message("{}"), "basket.json: line 1 (byte 0): this is not a basket.");
  EXPECT_EQ(message(R"({"a_basket":1})"), "basket.json: line 1 (byte 0): this is not a basket.");
  EXPECT_NE(message(R"({"a_basket":2} 1)"), "");
}

TEST(RecordJson, NamesWrongValues) {
  const auto of_fruit = [](const std::string& members) {
    return message(R"({"a_basket":2,"fruits":[{)" + members + "}]}");
  };
  EXPECT_EQ(
      of_fruit(R"("taste":"salty")"),
      "basket.json: line 1 (byte 33): unknown word 'salty': the words are sweet, sour. Place: "
      "fruits[0].taste.");
  EXPECT_EQ(message(R"({"a_basket":2,"best":{"name":"fig","kilograms":-1}})"),
            "basket.json: line 1 (byte 47): a weight is at least 0. Place: best.kilograms.");
  EXPECT_NE(message(R"({"a_basket":2,"best":{}})").find("'name' is missing. Place: best."),
            std::string::npos);
  EXPECT_NE(of_fruit(R"("seeds":-1)").find("expected a count"), std::string::npos);
  EXPECT_NE(of_fruit(R"("weight":"heavy")").find("'heavy' is not a number"), std::string::npos);
  EXPECT_NE(message(R"({"a_basket":2,"many":[["a","sour",1,"b",2,3]]})").find("more values"),
            std::string::npos);
}

}  // namespace
}  // namespace polygraphy
