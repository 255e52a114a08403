// Checks over the tables of all commands, which the author of a single table would not notice.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "cli/command_list.h"
#include "cli/completions/man_page.h"
#include "cli/jobs/option_warnings.h"
#include "cli/syntax/command.h"
#include "cli/syntax/exit_codes.h"
#include "cli/syntax/help.h"
#include "cli/syntax/parser.h"
#include "cli/syntax/syntax.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

std::vector<std::unique_ptr<Syntax>> all_parsers() {
  std::vector<std::unique_ptr<Syntax>> parsers;
  parsers.push_back(root_syntax());
  for (const Command* command : commands())
    parsers.push_back(syntax_of(*command, backend_option_tables()));
  return parsers;
}

TEST(Tables, SpellingsAreUniqueInEachParser) {
  for (const auto& syntax : all_parsers()) {
    std::set<std::string_view> seen;
    for (const auto& entry : syntax->entries()) {
      for (const auto spelling : entry.spellings) {
        EXPECT_TRUE(seen.insert(spelling).second)
            << syntax->prog() << " has " << spelling << " twice";
      }
    }
  }
}

// Where code names an option by a literal, a typo would read as an option that was not given.
TEST(Tables, OptionsThatCodeAsksForAreThere) {
  std::set<std::string, std::less<>> keys;
  for (const auto& syntax : all_parsers()) {
    for (const auto& entry : syntax->entries()) keys.emplace(entry.key());
  }
  const std::regex look_up(
      R"re(\.\s*(?:has|count|last|text|list|all|integer|number|display)\(\s*"(--?[^"]+)"\s*\))re");
  size_t found = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(PG_SOURCE_DIR "/src/cli")) {
    if (file.path().extension() != ".cpp" || file.path().stem().string().ends_with("_test"))
      continue;
    std::ifstream stream(file.path());
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    for (std::sregex_iterator at(text.begin(), text.end(), look_up), end; at != end;
         ++at, ++found) {
      EXPECT_TRUE(keys.contains((*at)[1].str())) << file.path() << ": " << (*at)[0];
    }
  }
  EXPECT_GT(found, 50u);
}

// Outputs must not overwrite inputs, and outputs are checked before the work: both follow from the
// tables.
TEST(Tables, OptionsWithFilesSayWhatHappensToThem) {
  const std::regex of_files(R"re((^|.*[^A-Z])(FILE|PATH|FOLDER|DIR|SCRIPT)([^A-Z].*|$))re");
  size_t declared = 0;
  for (const auto& syntax : all_parsers()) {
    for (const auto& entry : syntax->entries()) {
      const Option& option = *entry.option;
      if (option.arity == Arity::kFlag) continue;
      const bool has_files =
          option.type == ValueType::kFolder || std::regex_match(entry.metavar(), of_files);
      const bool says_so = option.files != FileUse::kNone;
      const ArgGroup* group = syntax->section_of(entry).group;
      if (has_files && entry.key() != "--verbosity" && !(group && group->of_access)) {
        EXPECT_TRUE(says_so) << syntax->prog() << ' ' << entry.key() << ": add .files";
      }
      declared += says_so;
      for (const auto key : split(option.may_be, ' ')) {
        if (key.empty() || key == "--check") continue;
        EXPECT_NE(syntax->find(key), nullptr) << syntax->prog() << ' ' << entry.key() << ' ' << key;
      }
    }
  }
  EXPECT_GT(declared, 100u);
}

TEST(Tables, SpellingsConsistOfLegalCharacters) {
  for (const auto& syntax : all_parsers()) {
    for (const auto& entry : syntax->entries()) {
      for (const auto spelling : entry.spellings) {
        const std::string_view legal = "abcdefghijklmnopqrstuvwxyz0123456789-_";
        EXPECT_EQ(spelling.find_first_not_of(legal), std::string_view::npos) << spelling;
        if (entry.positional()) continue;
        const bool is_long =
            spelling.size() > 3 && spelling.starts_with("--") && spelling[2] != '-';
        const bool is_short = spelling.size() == 2 && spelling[0] == '-' && spelling[1] > '9';
        EXPECT_TRUE(is_long || is_short)
            << spelling << ": a dash and a letter, or two dashes and a word";
      }
    }
  }
}

// An abbreviation of an original option must not select one of ours. --on, which all commands with
// a scheduler share, could mean --onnx-flags in some; its values are schedulers, and a flag of a
// parser is refused with their names (docs/differences/new.md).
TEST(Tables, NoOptionOfOursIsSpelledLikeAnAbbreviation) {
  for (const auto& syntax : all_parsers()) {
    for (const auto& ours : syntax->entries()) {
      if (ours.option->origin == Origin::kOriginal) continue;
      for (const auto spelling : ours.spellings) {
        if (spelling == "--on") continue;
        std::vector<std::string_view> meant;
        for (const auto& theirs : syntax->entries()) {
          if (theirs.option->origin != Origin::kOriginal) continue;
          for (const auto candidate : theirs.spellings) {
            if (candidate.starts_with(spelling)) meant.push_back(candidate);
          }
        }
        EXPECT_NE(meant.size(), 1u)
            << syntax->prog() << ": " << spelling << " abbreviates " << meant.front();
      }
    }
  }
}

TEST(Tables, EachParserHasAtMostOnePositional) {
  for (const auto& syntax : all_parsers()) {
    const auto& entries = syntax->entries();
    EXPECT_LE(std::count_if(entries.begin(), entries.end(),
                            [](auto& entry) { return entry.positional(); }),
              1);
  }
}

TEST(Tables, WhatIsListedIsExplained) {
  for (const auto& syntax : all_parsers()) {
    for (const auto& entry : syntax->entries()) {
      if (is_listed(entry)) {
        EXPECT_FALSE(entry.option->help.empty()) << syntax->prog() << ' ' << entry.key();
      }
      if (entry.option->origin == Origin::kRemoved) {
        EXPECT_FALSE(entry.option->instead.empty()) << entry.key();
      }
    }
  }
}

TEST(Tables, OfferedChoicesAreChoices) {
  for (const auto& syntax : all_parsers()) {
    for (const auto& entry : syntax->entries()) {
      const auto choices = split(entry.option->choices, ' ');
      if (entry.option->offered.empty()) continue;
      for (const auto offered : split(entry.option->offered, ' ')) {
        EXPECT_NE(std::find(choices.begin(), choices.end(), offered), choices.end())
            << entry.key() << ' ' << offered;
      }
    }
  }
}

TEST(Tables, CommandsHaveASummaryAndAParent) {
  for (const Command* command : commands()) {
    EXPECT_FALSE(command->summary.empty() || command->description.empty()) << command->path;
    const bool is_group = !subcommands(command->path).empty();
    EXPECT_EQ(is_group, command->run == nullptr) << command->path;
    const size_t space = command->path.rfind(' ');
    if (space == std::string_view::npos) continue;
    const auto parent = command->path.substr(0, space);
    EXPECT_TRUE(std::any_of(commands().begin(), commands().end(), [&](auto* other) {
      return other->path == parent;
    })) << command->path;
  }
}

TEST(Tables, OptionsThatACommandPicksFromAGroupExist) {
  for (const Command* command : commands()) {
    const auto syntax = syntax_of(*command, backend_option_tables());
    for (const GroupUse& use : command->groups) {
      if (use.only.empty()) continue;
      for (const auto key : split(use.only, ' ')) {
        const auto* entry = syntax->find(key);
        EXPECT_TRUE(entry && entry->key() == key) << command->path << ' ' << key;
      }
    }
  }
}

// The values that --compare offers are the metrics that there are, and the functions that options
// name are values of --compare.
TEST(Tables, ComparisonFunctionsAreThoseOfTheLibrary) {
  for (const Command* command : commands()) {
    const auto syntax = syntax_of(*command, backend_option_tables());
    const auto* compare = syntax->find("--compare");
    if (!compare) continue;
    const auto choices = split(compare->option->choices, ' ');
    std::set<std::string_view> offered(choices.begin(), choices.end()), available;
    for (const Metric* metric : metrics()) {
      available.insert(metric->name);
      offered.erase(metric->group);
    }
    EXPECT_EQ(offered, available);
    for (const auto& entry : syntax->entries()) {
      if (entry.option->functions.empty()) continue;
      for (const auto function : split(entry.option->functions, ' ')) {
        EXPECT_NE(std::find(choices.begin(), choices.end(), function), choices.end())
            << entry.key();
      }
    }
  }
}

struct Original {
  std::string command, spellings, nargs, type, choices, repeat, required;
};

std::vector<Original> options_of_the_original() {
  std::ifstream file(PG_SOURCE_DIR "/tests/cli/options_0.53.6.tsv");
  std::vector<Original> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    auto cells = split(line, '\t');
    cells.resize(7);
    const auto text = [&](size_t i) { return std::string(cells[i]); };
    rows.push_back({text(0), text(1), text(2), text(3), text(4), text(5), text(6)});
  }
  return rows;
}

std::string nargs_of(Arity arity) {
  switch (arity) {
    case Arity::kFlag:
      return "0";
    case Arity::kOne:
      return "1";
    case Arity::kOptional:
      return "?";
    case Arity::kOneOrMore:
      return "+";
    case Arity::kZeroOrMore:
      return "*";
    default:
      return "...";
  }
}

// Without metrics that the original does not have.
std::string choices_of_the_original(const Option& option) {
  std::vector<std::string_view> choices;
  for (const auto choice : split(option.choices, ' ')) {
    const Metric* metric =
        option.spellings.starts_with("--compare ") ? find_metric(choice) : nullptr;
    if (metric == nullptr || !metric->python_class.empty()) choices.push_back(choice);
  }
  return join(choices, " ");
}

TEST(Tables, EveryOptionOfTheOriginalIsKnownWithTheSameForm) {
  const auto rows = options_of_the_original();
  ASSERT_GT(rows.size(), 150u);
  for (const Command* command : commands()) {
    const auto syntax = syntax_of(*command, backend_option_tables());
    for (const auto& row : rows) {
      if (row.command != command->path) continue;
      const auto spellings = split(row.spellings, ' ');
      const auto* entry = syntax->find(spellings.front());
      ASSERT_TRUE(entry) << row.command << ' ' << row.spellings;
      EXPECT_EQ(entry->spellings, spellings) << row.command;
      EXPECT_EQ(entry->option->origin, Origin::kOriginal) << row.spellings;
      // The guides give these without a path, too.
      const bool may_go_without = row.spellings.starts_with("--save-inputs ") ||
                                  row.spellings.starts_with("--save-outputs ");
      EXPECT_EQ(nargs_of(entry->option->arity), may_go_without ? "?" : row.nargs) << row.spellings;
      EXPECT_EQ(entry->option->type == ValueType::kInt, row.type == "int") << row.spellings;
      EXPECT_EQ(entry->option->type == ValueType::kFloat, row.type == "float") << row.spellings;
      const std::string ours = entry->option->added_choices.empty()
                                   ? std::string()
                                   : " " + std::string(entry->option->added_choices);
      EXPECT_EQ(choices_of_the_original(*entry->option), row.choices + ours) << row.spellings;
      EXPECT_EQ(entry->required, row.required == "required") << row.spellings;
    }
  }
}

// The other way round: what claims to be the original's is.
TEST(Tables, NothingElseIsCalledTheOriginals) {
  std::set<std::pair<std::string, std::string>> known;
  for (const auto& row : options_of_the_original()) {
    for (const auto spelling : split(row.spellings, ' ')) known.emplace(row.command, spelling);
  }
  for (const Command* command : commands()) {
    const bool theirs = std::any_of(known.begin(), known.end(),
                                    [&](auto& row) { return row.first == command->path; });
    if (!theirs) continue;
    const auto syntax = syntax_of(*command, backend_option_tables());
    for (const auto& entry : syntax->entries()) {
      if (entry.option->origin != Origin::kOriginal || entry.key() == "--help") continue;
      if (entry.option->arity == Arity::kSubcommand) continue;
      for (const auto spelling : entry.spellings) {
        EXPECT_TRUE(known.count({std::string(command->path), std::string(spelling)}))
            << command->path << ' ' << spelling;
      }
    }
  }
}

TEST(Tables, EveryHeadingThatACommandTakesHasOptions) {
  std::set<std::string_view> headings;
  for (const auto* backend : backend_option_tables()) {
    for (const pgb_option_spec& option : options_of(*backend)) {
      if (option.heading) headings.insert(option.heading);
    }
  }
  for (const Command* command : commands()) {
    for (const GroupUse& use : command->groups) {
      if (!use.heading.empty()) {
        EXPECT_TRUE(headings.contains(use.heading)) << command->path << ' ' << use.heading;
      }
    }
  }
}

// Throws UsageError.
ParsedArgs parsed(const Syntax& syntax, std::string_view line) {
  std::vector<std::string> words = shell_words(line);
  words.erase(words.begin(),
              words.begin() + static_cast<ptrdiff_t>(split(syntax.prog(), ' ').size()));
  return parse_args(syntax, words);
}

TEST(Tables, HelpEndsWithTwoExamplesOfEveryCommand) {
  for (const Command* command : commands()) {
    if (!command->run) continue;
    const auto syntax = syntax_of(*command, backend_option_tables());
    const auto lines = split(command->examples, '\n');
    EXPECT_EQ(lines.size(), 2u) << command->path;
    for (const std::string_view line : lines) {
      ASSERT_TRUE(line.starts_with(syntax->prog() + " ") || line == syntax->prog()) << line;
      try {
        const ParsedArgs args = parsed(*syntax, line);
        EXPECT_TRUE(args.unrecognized().empty()) << line;
        Logger log;
        log.set_sink(
            [&](Severity, std::string_view text) { ADD_FAILURE() << line << ": " << text; });
        check_needed_options(args, log);
      } catch (const Error& error) {
        ADD_FAILURE() << line << ": " << error.what();
      }
    }
    EXPECT_TRUE(
        help_text(*syntax, command, 200).ends_with("  " + std::string(lines.back()) + "\n"));
  }
}

TEST(Tables, WhatOptionsNeedIsThere) {
  std::set<std::string, std::less<>> met;
  std::map<std::string, std::string> missing;  // from a need to its option
  for (const auto& syntax : all_parsers()) {
    for (const auto& entry : syntax->entries()) {
      if (entry.option->needs.empty()) continue;
      for (const auto need : split(entry.option->needs, ' ')) {
        const auto* needed = syntax->find(need.substr(0, need.find('=')));
        if (needed)
          met.emplace(need);
        else
          missing.emplace(need, entry.key());
      }
    }
  }
  for (const auto& [need, option] : missing)
    EXPECT_TRUE(met.contains(need)) << option << ' ' << need;
}

TEST(Help, HidesOptionsOfRuntimesThatAreNotInstalled) {
  const auto find = [](std::string_view path) {
    return *std::find_if(commands().begin(), commands().end(),
                         [&](const Command* command) { return command->path == path; });
  };
  const Command* run = find("run");
  const auto syntax = syntax_of(*run, backend_option_tables());
  const auto hides = [](const pgb_backend_options& backend) {
    return std::string_view(backend.name) == "tensorrt";
  };
  const std::string all = help_text(*syntax, run, 300), some = help_text(*syntax, run, 300, hides);
  EXPECT_NE(all.find("  --trt-min-shapes"), std::string::npos);
  EXPECT_EQ(some.find("  --trt-min-shapes"), std::string::npos);
  EXPECT_NE(some.find("  --trt "), std::string::npos);
  EXPECT_NE(some.find("  --providers"), std::string::npos);
  EXPECT_NE(some.find(" of --trt. `polygraphy run --help-all` shows them."), std::string::npos);
  EXPECT_EQ(all.find("are not shown"), std::string::npos);
}

TEST(Help, IsBriefForTheShortOption) {
  const Command& run = **std::ranges::find(commands(), "run", &Command::path);
  const auto syntax = syntax_of(run, backend_option_tables());
  const std::string brief = help_text(*syntax, &run, 80, {}, HelpForm::kBrief);
  EXPECT_LT(std::ranges::count(brief, '\n'), 150);
  EXPECT_NE(brief.find("\n`polygraphy run --help` explains the options.\n"), std::string::npos);
  EXPECT_NE(brief.find("\nExamples:\n  polygraphy run model.onnx --onnxrt"), std::string::npos);
  for (const auto& entry : syntax->entries()) {
    if (!is_listed(entry)) continue;
    EXPECT_NE(brief.find(entry.key()), std::string::npos) << entry.key();
  }
}

TEST(ExitCodes, HelpManPageAndGuideSayTheSame) {
  std::ifstream file(PG_SOURCE_DIR "/docs/exit-codes.md");
  const std::string guide{std::istreambuf_iterator<char>(file), {}};
  std::string rows;
  for (const ExitCode& row : kExitCodes)
    rows += "| " + std::string(row.codes) + " | " + std::string(row.meaning) + " |\n";
  EXPECT_NE(guide.find("| code | meaning |\n|---|---|\n" + rows + "\n"), std::string::npos) << rows;
  EXPECT_NE(man_page().find(".B 3\nThe command could not do its work"), std::string::npos);
  const auto help_of = [](std::string_view path) {
    const Command& command = **std::ranges::find(commands(), path, &Command::path);
    return help_text(*syntax_of(command, {}), &command, 300);
  };
  EXPECT_NE(help_of("surgeon diff").find("2 wrong command line; 3 could not do its work.\n"),
            std::string::npos);
  EXPECT_NE(help_of("check lint").find("2 wrong command line; 1 also: could not do its work.\n"),
            std::string::npos);
  const std::string_view submitted = "; 4 submitted, no verdict yet.\n";
  for (const std::string_view path : {"run", "debug locate", "check consistency"})
    EXPECT_NE(help_of(path).find(submitted), std::string::npos) << path;
  EXPECT_EQ(help_of("debug reduce").find(submitted), std::string::npos);
  EXPECT_NE(help_of("zoo").find("; 4 if tasks are submitted"), std::string::npos);
}

TEST(ManPage, NamesTheLibraryVariableOfEachBackEnd) {
  const std::string page = man_page();
  for (const auto* backend : backend_option_tables()) {
    ASSERT_NE(backend->library_env, nullptr);
    EXPECT_NE(page.find(backend->library_env), std::string::npos) << backend->library_env;
  }
}

}  // namespace
}  // namespace polygraphy::cli
