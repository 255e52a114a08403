// One option or positional argument of the command line, as data: the parser, --help, completions,
// the man page and the meta-tests all come from these tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace polygraphy::cli {

// How many values an option takes: argparse's nargs.
enum class Arity : uint8_t {
  kOne,
  kFlag,        // none
  kOptional,    // "?"
  kOneOrMore,   // "+": greedy, up to the next token that looks like an option
  kZeroOrMore,  // "*"
  kRemainder,   // everything that is left, options included
  kCommand,     // the same, unless its first word is shell syntax ("a | b"): then that word alone
  kSubcommand,  // a word and everything that is left
};

// The form of a value. kFolder accepts any text; completions offer folders.
enum class ValueType : uint8_t { kText, kInt, kFloat, kFolder };

// The command's use of the files that the values name, checked before it runs
// (cli/jobs/file_check.h).
enum class FileUse : uint8_t {
  kNone,           // the values are not files
  kRead,           // a file, a folder of files, SCRIPT:FUNCTION, FILE:NAME:SHAPE:DTYPE
  kReadModel,      // the same, and the data files that the model refers to
  kReadCommand,    // words of a command: those that are files
  kFolderOfData,   // where a model's data files are
  kWritten,        // made or replaced
  kWrittenBeside,  // the same, but the value is a name in the folder of the model that is written
  kUpdated,        // read, and written again
  kMoved,          // made by others, and taken away
};

// The spellings that may be abbreviated: only the original's.
enum class Origin : uint8_t {
  kOriginal,  // 0.53.6
  kOurs,      // typed in full
  kRemoved,   // 0.49's, typed in full; using it warns and names `instead`
  kInternal,  // of tasks: --on adds it to their command lines, no help lists it
};

// Option::exclusive of --check and of the in-process checks.
inline constexpr uint8_t kWaysToCheck = 13;
// Numbers of back ends' options are above this.
inline constexpr uint8_t kExclusiveOfBackends = 128;

struct Option {
  // "--rtol --rel-tol", "-v --verbose"; the first long one is the key that code looks values up by.
  // A positional argument is one word without dashes.
  std::string_view spellings;
  std::string_view help =
      {};  // for --help; options that do nothing yet are not listed there and need none
  Arity arity = Arity::kOne;
  ValueType type = ValueType::kText;
  FileUse files = FileUse::kNone;
  std::string_view may_be = {};  // of a file that is written: the keys of options that may read it
  std::string_view folder_files = {};   // of a folder that is written: known names of files there
  bool or_folder = false;               // of a file: a folder is taken as well
  bool may_be_empty = false;            // for outputs with a default name: '' disables the output
  std::string_view metavar = {};        // empty: from the key
  std::string_view choices = {};        // space separated; empty: anything
  std::string_view added_choices = {};  // the last of them, which the original does not have
  std::string_view offered = {};        // the choices that do something; empty: all of them
  bool choice_arguments = false;        // a choice may have arguments: "tokens:axis=1"
  bool lists_formats = false;  // the formats of models that back ends take are offered as well
  Origin origin = Origin::kOriginal;
  std::string_view instead = {};  // of a removed option
  // Comparison functions that read it (`--compare` values, space separated); empty: not only some.
  std::string_view functions = {};
  // Has no effect unless one of these is given, space separated: "--check", "--mode=auto". Those
  // that a command lacks do not count (jobs/option_warnings.h).
  std::string_view needs = {};
  // Made when a parser is put together, in place of `help` and `choices`: for options that list
  // things of the libraries' tables.
  std::string (*made_help)() = nullptr;
  std::string (*made_choices)() = nullptr;
  bool starts_programs = false;  // of the user, which run outside of the sandbox
  bool starts_python = false;    // which runs in the sandbox
  bool selects_runner = false;   // a runner flag that no table of a back end has
  bool required = false;
  bool answers = false;   // with it, required options may be omitted (--list-rules)
  bool appends = false;   // every occurrence counts, not only the last
  uint8_t exclusive = 0;  // options of one parser with the same number exclude each other; 0: none

  // Whether its values are paths, for completions.
  constexpr bool names_files() const {
    return files != FileUse::kNone && files != FileUse::kReadCommand;
  }
};

// Whether an option takes more than one value.
constexpr bool takes_list(Arity arity) {
  return arity != Arity::kFlag && arity != Arity::kOne && arity != Arity::kOptional;
}

}  // namespace polygraphy::cli
