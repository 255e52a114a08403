#include "cli/syntax/parser.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "-h --help", .arity = Arity::kFlag},
    {.spellings = "-v --verbose", .arity = Arity::kFlag, .appends = true},
    {.spellings = "-q --quiet", .arity = Arity::kFlag, .appends = true},
    {.spellings = "--verbosity", .arity = Arity::kOneOrMore},
    {.spellings = "-n --num-items", .type = ValueType::kInt},
    {.spellings = "--iterations --iters", .type = ValueType::kInt},
    {.spellings = "--fraction", .type = ValueType::kFloat},
    {.spellings = "--show", .arity = Arity::kOneOrMore, .choices = "layers attrs"},
    {.spellings = "--sources", .arity = Arity::kZeroOrMore},
    {.spellings = "--blob", .arity = Arity::kOptional},
    {.spellings = "--check", .arity = Arity::kRemainder},
    {.spellings = "--run", .arity = Arity::kCommand},
    {.spellings = "--load", .exclusive = 1},
    {.spellings = "--script", .exclusive = 1},
    {.spellings = "--veritable", .origin = Origin::kOurs},
    {.spellings = "--int-min", .origin = Origin::kRemoved, .instead = "--val-range"},
    {.spellings = "model", .arity = Arity::kOptional},
};

class ParserTest : public ::testing::Test {
 protected:
  ParserTest() : syntax_("polygraphy test", true) {
    const size_t section = syntax_.add_section({.title = "options"});
    for (const Option& option : kOptions) syntax_.add(option, section);
  }

  // The parsed options, in order, "key:value;value"; then the surplus; or the usage error.
  std::string parse(const std::vector<std::string>& args) const {
    try {
      const ParsedArgs parsed = parse_args(syntax_, args);
      std::vector<std::string> parts;
      for (const auto& occurrence : parsed.occurrences()) {
        parts.push_back(std::string(occurrence.entry->key()) + ":" +
                        join(std::span<const std::string>(occurrence.values), ";"));
      }
      for (const auto& surplus : parsed.unrecognized()) parts.push_back("?" + surplus);
      return join(std::span<const std::string>(parts), " ");
    } catch (const UsageError& error) {
      return std::string("error: ") + error.what();
    }
  }

  Syntax syntax_;
};

TEST_F(ParserTest, ValuesFollowOrAreGlued) {
  EXPECT_EQ(parse({"--iters", "3"}), "--iterations:3");
  EXPECT_EQ(parse({"--iters=3"}), "--iterations:3");
  EXPECT_EQ(parse({"--iters="}), "error: argument --iterations/--iters: invalid int value: ''");
  EXPECT_EQ(parse({"-n3"}), "--num-items:3");
  EXPECT_EQ(parse({"-n", "3"}), "--num-items:3");
  EXPECT_EQ(parse({"-n=3"}), "--num-items:3");
}

TEST_F(ParserTest, FlagsCluster) {
  EXPECT_EQ(parse({"-vvq"}), "--verbose: --verbose: --quiet:");
  EXPECT_EQ(parse({"-vn5"}), "--verbose: --num-items:5");
  EXPECT_EQ(parse({"-vz"}), "error: argument -v/--verbose: ignored explicit argument 'z'");
  EXPECT_EQ(parse({"--quiet=3"}), "error: argument -q/--quiet: ignored explicit argument '3'");
}

TEST_F(ParserTest, ManyValuesEndAtTheNextOption) {
  EXPECT_EQ(parse({"--verbosity", "a", "b", "m", "-v"}), "--verbosity:a;b;m --verbose:");
  EXPECT_EQ(parse({"m", "--sources"}), "model:m --sources:");
  EXPECT_EQ(parse({"--blob", "m"}), "--blob:m") << "greedy: the model is gone";
  EXPECT_EQ(parse({"--blob", "-v", "m"}), "--blob: --verbose: model:m");
  EXPECT_EQ(parse({"--verbosity=a", "b"}), "--verbosity:a model:b");
}

TEST_F(ParserTest, TooFewValues) {
  EXPECT_EQ(parse({"--iters"}), "error: argument --iterations/--iters: expected one argument");
  EXPECT_EQ(parse({"--verbosity", "-v"}),
            "error: argument --verbosity: expected at least one argument");
}

TEST_F(ParserTest, NegativeNumbersAreValues) {
  EXPECT_EQ(parse({"--iters", "-1"}), "--iterations:-1");
  EXPECT_EQ(parse({"--fraction", "-.5", "-1.5"}), "--fraction:-.5 model:-1.5");
  EXPECT_EQ(parse({"--fraction", "-1e-3"}), "error: argument --fraction: expected one argument");
  EXPECT_EQ(parse({"--fraction=-1e-3"}), "--fraction:-1e-3");
}

TEST_F(ParserTest, TextsWithBlanksAndLoneDashesAreValues) {
  EXPECT_EQ(parse({"-a b"}), "model:-a b");
  EXPECT_EQ(parse({"-"}), "model:-");
  EXPECT_EQ(parse({""}), "model:");
}

TEST_F(ParserTest, TwoDashesEndOptions) {
  EXPECT_EQ(parse({"--", "-v"}), "model:-v");
  EXPECT_EQ(parse({"--verbosity", "a", "--", "b"}), "--verbosity:a model:b");
  EXPECT_EQ(parse({"m", "--", "n"}), "model:m ?n");
  EXPECT_EQ(parse({"--iters", "--", "3"}),
            "error: argument --iterations/--iters: expected one argument");
}

TEST_F(ParserTest, UnambiguousBeginningsStandForOptions) {
  EXPECT_EQ(parse({"--iterat", "3"}), "--iterations:3");
  EXPECT_EQ(parse({"--sou", "a"}), "--sources:a");
  EXPECT_EQ(parse({"--frac=1"}), "--fraction:1");
  EXPECT_EQ(parse({"--s"}), "error: ambiguous option: --s could match --show, --sources, --script");
}

TEST_F(ParserTest, TwoNamesOfOneOptionAreAmbiguous) {
  EXPECT_EQ(parse({"--iter", "3"}),
            "error: ambiguous option: --iter could match --iterations, --iters");
}

TEST_F(ParserTest, OnlyTheOriginalsSpellingsAreAbbreviated) {
  EXPECT_EQ(parse({"--verit", "3"}), "model:3 ?--verit");
  EXPECT_EQ(parse({"--veritable", "3"}), "--veritable:3");
  EXPECT_EQ(parse({"--int-mi", "3"}), "model:3 ?--int-mi");
  EXPECT_EQ(parse({"--int-min", "3"}), "--int-min:3");
  EXPECT_EQ(parse({"--ver"}), "error: ambiguous option: --ver could match --verbose, --verbosity");
}

TEST_F(ParserTest, AmbiguityIsFoundBeforeAnythingElse) {
  EXPECT_EQ(parse({"--iters", "x", "--ver"}),
            "error: ambiguous option: --ver could match --verbose, --verbosity");
}

TEST_F(ParserTest, ChoicesAreCaseSensitive) {
  EXPECT_EQ(parse({"--show", "layers", "attrs"}), "--show:layers;attrs");
  EXPECT_EQ(parse({"--show", "Layers"}),
            "error: argument --show: invalid choice: 'Layers' (choose from 'layers', 'attrs'). Did "
            "you mean 'layers'?");
}

TEST_F(ParserTest, ExclusiveOptions) {
  EXPECT_EQ(parse({"--script", "a", "--script", "b"}), "--script:a --script:b");
  EXPECT_EQ(parse({"--script", "a", "--load", "b"}),
            "error: argument --load: not allowed with argument --script");
}

TEST_F(ParserTest, TheRestBelongsToARemainder) {
  EXPECT_EQ(parse({"m", "--check", "polygraphy", "run", "-v", "--bogus"}),
            "model:m --check:polygraphy;run;-v;--bogus");
}

TEST_F(ParserTest, AShellCommandIsOneWord) {
  EXPECT_EQ(parse({"m", "--run", "polygraphy", "run", "-v", "--iters", "2"}),
            "model:m --run:polygraphy;run;-v;--iters;2");
  EXPECT_EQ(parse({"m", "--run", "cp a b; ./check.sh", "--iters", "2"}),
            "model:m --run:cp a b; ./check.sh --iterations:2");
}

TEST_F(ParserTest, SurplusIsKeptInOrder) {
  EXPECT_EQ(parse({"m", "n", "--bogus", "o"}), "model:m ?n ?--bogus ?o");
  EXPECT_EQ(parse({"--bogus=1", "m"}), "model:m ?--bogus=1");
}

TEST_F(ParserTest, NothingAfterHelpIsLookedAt) {
  const std::vector<std::string> args{"--help", "--iters", "x"};
  EXPECT_TRUE(parse_args(syntax_, args).wants_help());
  EXPECT_EQ(parse({"--iters", "x", "--help"}),
            "error: argument --iterations/--iters: invalid int value: 'x'");
}

TEST_F(ParserTest, NumbersBeyondSixtyFourBitsAreAnError) {
  EXPECT_EQ(parse({"--iters", "9223372036854775808"}),
            "error: argument --iterations/--iters: value out of range: '9223372036854775808'");
}

TEST_F(ParserTest, LookingUpWhatWasTyped) {
  const std::vector<std::string> args{"-vv",         "--iters", "1", "--iters", "1_0",
                                      "--verbosity", "a",       "b", "--blob"};
  const ParsedArgs parsed = parse_args(syntax_, args);
  EXPECT_EQ(parsed.count("--verbose"), 2u);
  EXPECT_EQ(parsed.integer("--iterations"), 10) << "the last one counts";
  EXPECT_EQ(parsed.list("--verbosity"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(parsed.has("--blob"));
  EXPECT_EQ(parsed.text("--blob"), std::nullopt);
  EXPECT_EQ(parsed.text("model"), std::nullopt);
  EXPECT_EQ(parsed.display("--iterations"), "--iterations/--iters");
}

TEST_F(ParserTest, SuggestsTheOptionThatWasMeant) {
  EXPECT_EQ(suggest_option(syntax_, "--itrations=3"), "Did you mean '--iterations'?");
  EXPECT_EQ(suggest_option(syntax_, "--versoble"), "Did you mean '--verbose' or '--veritable'?");
  EXPECT_EQ(suggest_option(syntax_, "--verita"), "Did you mean '--veritable'?");
  EXPECT_EQ(suggest_option(syntax_, "--completely-different"), "");
  const std::vector<std::string> more = {"--complete"};
  EXPECT_EQ(suggest_option(syntax_, "--complte", more), "Did you mean '--complete'?");
}

TEST(Parser, RequiredArguments) {
  static constexpr Option kRequired[] = {{.spellings = "-o --output", .required = true},
                                         {.spellings = "path", .required = true}};
  Syntax syntax("polygraphy test", true);
  const size_t section = syntax.add_section({.title = "options"});
  for (const Option& option : kRequired) syntax.add(option, section);
  const auto error = [&](const std::vector<std::string>& args) {
    try {
      parse_args(syntax, args);
      return std::string();
    } catch (const UsageError& usage) {
      return std::string(usage.what());
    }
  };
  EXPECT_EQ(error({}), "the following arguments are required: -o/--output, path");
  EXPECT_EQ(error({"-ox"}), "the following arguments are required: path");
  EXPECT_EQ(error({"-ox", "y"}), "");
}

}  // namespace
}  // namespace polygraphy::cli
