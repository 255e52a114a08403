// What a back end's table (pgb_option_spec) can say, against the tables of the command line itself.
#include <gtest/gtest.h>

#include <deque>
#include <iterator>

#include "base/error.h"
#include "base/text.h"
#include "cli/syntax/parser.h"
#include "cli/syntax/syntax.h"
#include "polygraphy/backend/backend_catalog.h"

namespace polygraphy::cli {

extern const ArgGroup args_tensorrt;
extern const Command command_run;

namespace {

constexpr pgb_model_format kFormats[] = {{"engine", "*.engine *.plan"}, {"onnx", "*.onnx"}};

const char* nargs_of(Arity arity) {
  switch (arity) {
    case Arity::kFlag:
      return "0";
    case Arity::kOptional:
      return "?";
    case Arity::kOneOrMore:
      return "+";
    case Arity::kZeroOrMore:
      return "*";
    default:
      return "1";
  }
}

int32_t type_of(ValueType type) {
  switch (type) {
    case ValueType::kInt:
      return PGB_INTEGER;
    case ValueType::kFloat:
      return PGB_NUMBER;
    case ValueType::kPath:
      return PGB_PATH;
    case ValueType::kFolder:
      return PGB_FOLDER;
    default:
      return PGB_TEXT;
  }
}

// The options of an engine without a back end, said by a back end.
class TableOfBackEnd {
 public:
  explicit TableOfBackEnd(const ArgGroup& group) {
    for (const Option& option : group.options) {
      if (option.selects_runner) continue;
      pgb_option_spec& spec = specs_.emplace_back();
      spec.spellings = text(option.spellings);
      spec.key = spec.spellings;
      spec.nargs = nargs_of(option.arity);
      spec.metavar = text(option.metavar);
      spec.choices = text(option.choices);
      spec.help = "What it does.";
      spec.instead = text(option.instead);
      spec.type = type_of(option.type);
      spec.repeats = option.appends;
      spec.exclusive = option.exclusive;
    }
    table_.struct_size = sizeof(table_);
    table_.name = "tensorrt";
    table_.flags = "--trt";
    table_.runner_prefix = "trt-runner";
    table_.title = "TensorRT";
    table_.summary = "Run inference using TensorRT";
    table_.remedy = "Install it.";
    table_.formats = kFormats;
    table_.format_count = std::size(kFormats);
    table_.options = specs_.data();
    table_.option_count = specs_.size();
  }
  const pgb_backend_options& table() const { return table_; }
  pgb_option_spec& spec(std::string_view spelling) {
    for (pgb_option_spec& each : specs_) {
      if (each.spellings == spelling) return each;
    }
    throw Error("no such option");
  }

 private:
  const char* text(std::string_view text) {
    return text.empty() ? nullptr : texts_.emplace_back(text).c_str();
  }

  std::deque<std::string> texts_;
  std::vector<pgb_option_spec> specs_;
  pgb_backend_options table_{};
};

std::unique_ptr<Syntax> run_with(const pgb_backend_options& table) {
  std::vector<const pgb_backend_options*> tables(backend_option_tables().begin(),
                                                 backend_option_tables().end());
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

TEST(BackendOptions, SayEverythingThatTensorRtsOptionsNeed) {
  const TableOfBackEnd back_end(args_tensorrt);
  const auto syntax = run_with(back_end.table());
  for (const Option& wanted : args_tensorrt.options) {
    const Syntax::Entry* entry = syntax->find(split(wanted.spellings, ' ').front());
    ASSERT_TRUE(entry) << wanted.spellings;
    EXPECT_NE(entry->option, &wanted) << wanted.spellings << " is still the absent engine's";
    if (wanted.selects_runner) continue;
    EXPECT_EQ(entry->option->spellings, wanted.spellings);
    EXPECT_EQ(entry->option->arity, wanted.arity) << wanted.spellings;
    EXPECT_EQ(entry->option->type, wanted.type) << wanted.spellings;
    EXPECT_EQ(entry->option->choices, wanted.choices) << wanted.spellings;
    EXPECT_EQ(entry->option->metavar, wanted.metavar) << wanted.spellings;
    EXPECT_EQ(entry->option->origin, wanted.origin) << wanted.spellings;
    EXPECT_EQ(entry->option->instead, wanted.instead) << wanted.spellings;
    EXPECT_EQ(entry->option->appends, wanted.appends) << wanted.spellings;
    EXPECT_EQ(entry->option->exclusive != 0, wanted.exclusive != 0) << wanted.spellings;
  }
  EXPECT_EQ(usage_error(*syntax, {"--save-tactics", "a", "--load-tactics", "b"}),
            "argument --load-tactics/--load-tactic-replay: not allowed with argument "
            "--save-tactics/--save-tactic-replay");
  EXPECT_EQ(usage_error(*syntax, {"--optimization-profile", "first"}),
            "argument --optimization-profile: invalid int value: 'first'");
}

TEST(BackendOptions, ComeUnderHeadingsOfTheirOwn) {
  TableOfBackEnd back_end(args_tensorrt);
  back_end.spec("--save-engine").heading = "TensorRT Engine Saving";
  const auto syntax = run_with(back_end.table());
  const auto title_of = [&](std::string_view option) {
    return syntax->sections()[syntax->find(option)->section].title;
  };
  EXPECT_EQ(title_of("--fp16"), "TensorRT");
  EXPECT_EQ(title_of("--save-engine"), "TensorRT Engine Saving");
}

TEST(BackendOptions, FormatsAreOfferedAsTypesOfModels) {
  const TableOfBackEnd back_end(args_tensorrt);
  const auto offered = [](const Syntax& syntax) { return syntax.find("--model-type")->choices(); };
  EXPECT_EQ(offered(*Syntax::of(command_run, backend_option_tables())), "onnx");
  EXPECT_EQ(offered(*run_with(back_end.table())), "onnx engine");
}

TEST(BackendOptions, ThatTheCommandHasItselfAreAnError) {
  TableOfBackEnd back_end(args_tensorrt);
  back_end.spec("--fp16").spellings = "--fail-fast";
  try {
    run_with(back_end.table());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "polygraphy_tensorrt.so has the option --fail-fast, which is one of `polygraphy "
                 "run` itself");
  }
}

}  // namespace
}  // namespace polygraphy::cli
