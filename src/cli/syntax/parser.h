// Argument parsing with argparse's semantics: classification of every token first,
// abbreviations, greedy multi-value options, clusters of short flags, `--`, positionals between
// options.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/syntax/syntax.h"

namespace polygraphy::cli {

// An error for which argparse prints a usage line and exits with 2. what() is the text after
// "error: ".
class UsageError : public Error {
 public:
  UsageError(std::string prog, const std::string& message)
      : Error(message), prog_(std::move(prog)) {}
  const std::string& prog() const { return prog_; }

 private:
  std::string prog_;
};

// One use of an option or positional, in the order of the command line. Values are of the option's
// type.
struct Occurrence {
  const Syntax::Entry* entry;
  std::string spelling;             // the one that was used, in full; a positional's name
  std::vector<std::string> values;  // of the flag of a runner: its own model, if it has one

  bool selects_runner() const { return entry->selects_runner(); }
};

// First stage: the words of the command line. The second, resolving them into options of the
// library, is done by the functions beside each group's table.
class ParsedArgs {
 public:
  explicit ParsedArgs(const Syntax& syntax) : syntax_(&syntax) {}

  const Syntax& syntax() const { return *syntax_; }
  const std::vector<Occurrence>& occurrences() const { return occurrences_; }
  // Unknown options and surplus positionals.
  const std::vector<std::string>& unrecognized() const { return unrecognized_; }
  // -h or the root's -v was met: nothing after it has been looked at.
  bool wants_help() const { return wants_help_; }
  bool wants_version() const { return wants_version_; }

  // All below take the key of an option of this parser ("--rtol"), or a positional's name.
  bool has(std::string_view key) const { return count(key) != 0; }
  size_t count(std::string_view key) const;
  // The last occurrence's values; empty when it was not given, or given without values.
  std::vector<std::string> list(std::string_view key) const;
  std::vector<std::vector<std::string>> all(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;  // the only value of list()
  std::optional<int64_t> integer(std::string_view key) const;   // for options of type kInt
  std::optional<double> number(std::string_view key) const;     // for options of type kFloat
  // "--rtol/--rel-tol".
  std::string display(std::string_view key) const;

  void add(Occurrence occurrence) { occurrences_.push_back(std::move(occurrence)); }

 private:
  friend class Parser;
  const Occurrence* last(std::string_view key) const;

  const Syntax* syntax_;
  std::vector<Occurrence> occurrences_;
  std::vector<std::string> unrecognized_;
  bool wants_help_ = false;
  bool wants_version_ = false;
};

// Throws UsageError. A positional of arity kSubcommand receives the word and everything after it.
ParsedArgs parse_args(const Syntax& syntax, std::span<const std::string> args);

// The options that an unknown one may stand for, `more` beside the syntax's options: "Did you mean
// '--onnxrt'?", or empty.
std::string suggest_option(const Syntax& syntax, std::string_view typed,
                           std::span<const std::string> more = {});

}  // namespace polygraphy::cli
