// The tables of back ends (pgb_option_spec) against the tables of the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/syntax/parser.h"
#include "cli/syntax/syntax.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {

extern const Command command_run;

namespace {

// TensorRT's table, to be changed: no other has as many forms of options.
class TableOfBackEnd {
 public:
  TableOfBackEnd() {
    for (const auto* table : backend_option_tables()) {
      if (table->name == std::string_view("tensorrt")) table_ = *table;
    }
    specs_.assign(table_.options, table_.options + table_.option_count);
    table_.options = specs_.data();
  }
  const pgb_backend_options& table() const { return table_; }
  pgb_option_spec& spec(std::string_view spelling) {
    for (pgb_option_spec& each : specs_) {
      if (each.spellings && each.spellings == spelling) return each;
    }
    throw Error("no such option");
  }

 private:
  std::vector<pgb_option_spec> specs_;
  pgb_backend_options table_{};
};

std::unique_ptr<Syntax> run_with(const pgb_backend_options& table) {
  std::vector<const pgb_backend_options*> tables;
  for (const auto* each : backend_option_tables()) {
    if (each->name != std::string_view(table.name)) tables.push_back(each);
  }
  tables.push_back(&table);
  return Syntax::of(command_run, tables);
}

std::string usage_error(const Syntax& syntax, const std::vector<std::string>& args) {
  try {
    parse_args(syntax, args);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(BackendOptions, HaveFormsLikeThoseOfTheCommandLine) {
  const TableOfBackEnd back_end;
  const auto syntax = run_with(back_end.table());
  const auto option = [&](std::string_view spelling) { return *syntax->find(spelling)->option; };
  EXPECT_EQ(option("--fp16").arity, Arity::kFlag);
  EXPECT_EQ(option("--tactic-sources").arity, Arity::kZeroOrMore);
  EXPECT_EQ(option("--quantile").type, ValueType::kFloat);
  EXPECT_EQ(option("--allocation-strategy").choices, "static profile runtime");
  EXPECT_TRUE(option("--trt-min-shapes").appends);
  EXPECT_EQ(option("--trt-config-func-name").origin, Origin::kRemoved);
  EXPECT_EQ(option("--load-timing-cache").files, FileUse::kRead);
  EXPECT_EQ(option("--save-engine").files, FileUse::kWritten);
  EXPECT_EQ(option("--save-timing-cache").files, FileUse::kUpdated);
  EXPECT_EQ(usage_error(*syntax, {"--save-tactics", "a", "--load-tactics", "b"}),
            "argument --load-tactics/--load-tactic-replay: not allowed with argument "
            "--save-tactics/--save-tactic-replay");
  EXPECT_EQ(usage_error(*syntax, {"--optimization-profile", "first"}),
            "argument --optimization-profile: invalid int value: 'first'");
}

TEST(BackendOptions, ComeUnderHeadingsOfTheirOwn) {
  TableOfBackEnd back_end;
  back_end.spec("--save-engine").heading = "TensorRT Engine Saving";
  const auto syntax = run_with(back_end.table());
  const auto title_of = [&](std::string_view option) {
    return syntax->sections()[syntax->find(option)->section].title;
  };
  EXPECT_EQ(title_of("--fp16"), "TensorRT Builder Configuration");
  EXPECT_EQ(title_of("--save-engine"), "TensorRT Engine Saving");
}

TEST(BackendOptions, FormatsAreOfferedAsTypesOfModels) {
  const TableOfBackEnd back_end;
  const auto offered = [](const Syntax& syntax) { return syntax.find("--model-type")->choices(); };
  EXPECT_EQ(offered(*Syntax::of(command_run, {})), "onnx");
  EXPECT_THAT(split(offered(*run_with(back_end.table())), ' '),
              testing::IsSupersetOf({"onnx", "engine"}));
}

TEST(BackendOptions, ThatTheCommandHasItselfAreAnError) {
  TableOfBackEnd back_end;
  back_end.spec("--fp16").spellings = "--fail-fast";
  try {
    run_with(back_end.table());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "polygraphy_tensorrt.so has the option --fail-fast, which `polygraphy run` already has");
  }
}

}  // namespace
}  // namespace polygraphy::cli
