// The options of one parser, assembled from the tables: a command's own options, its groups and,
// where it runs models, options of the back ends.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/syntax/command.h"
#include "cli/syntax/option.h"
#include "polygraphy/backend.h"

namespace polygraphy::cli {

// Whether a command has options of back ends, or lists their names.
bool takes_backends(const Command& command);

class Syntax {
 public:
  // A heading of --help and the options under it.
  struct Section {
    std::string_view title;
    std::string_view summary = {};
    const ArgGroup* group = nullptr;               // where it comes from, if from a group
    const pgb_backend_options* backend = nullptr;  // … or from a back end
  };
  struct Entry {
    const Option* option;
    std::vector<std::string_view> spellings;
    size_t section;
    bool required;
    // For the runner flag of a back end; null otherwise.
    const pgb_backend_options* runner = nullptr;
    // For an option that goes to a back end unchanged: the back end's description of it; null
    // otherwise.
    const pgb_option_spec* backend = nullptr;

    // Whether it stands for a runner: --onnxrt, --model-runner FILE.
    bool selects_runner() const { return runner || option->selects_runner; }
    bool positional() const { return spellings.front().front() != '-'; }
    std::string_view key() const;  // first long spelling, else the first one
    std::string display() const;   // "--rtol/--rel-tol", as argparse names it in messages
    std::string metavar() const;   // the placeholder for a value in help
    std::string_view choices() const {
      return option->offered.empty() ? option->choices : option->offered;
    }
  };

  Syntax(std::string prog, bool abbreviations)
      : prog_(std::move(prog)), abbreviations_(abbreviations) {}
  Syntax(const Syntax&) = delete;
  Syntax& operator=(const Syntax&) = delete;

  // The parser of a command, with its groups and the groups of the back ends (needed only if
  // takes_backends()), and `below`, its own subcommands. The tables outlive the parser. Throws
  // Error when an option of a back end is one of the command's own.
  static std::unique_ptr<Syntax> of(const Command& command,
                                    std::span<const pgb_backend_options* const> backends,
                                    std::vector<const Command*> below = {});
  // The parser of the executable itself: --help, --version and the tools.
  static std::unique_ptr<Syntax> of_root(std::vector<const Command*> tools);

  size_t add_section(Section section);
  void add(const Option& option, size_t section);

  const std::string& prog() const { return prog_; }  // "polygraphy run"
  bool abbreviations() const { return abbreviations_; }
  bool runners_take_models() const { return runners_take_models_; }  // Command's
  const std::vector<Section>& sections() const { return sections_; }
  const Section& section_of(const Entry& entry) const { return sections_[entry.section]; }
  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(std::string_view spelling) const;  // exact; null when unknown
  const Entry* positional() const;                     // the only one, or null
  const std::vector<const Command*>& subcommands() const { return subcommands_; }

 private:
  void add_runner_flag(const pgb_backend_options& backend, size_t section);
  void add_backend_options(const pgb_backend_options& backend, const GroupUse& use);
  void add_with_formats(const Option& option, std::span<const pgb_backend_options* const> backends,
                        size_t section);
  void check_backend_spellings() const;
  void add_subcommands(std::vector<const Command*> below, std::string_view name, size_t section);

  std::string prog_;
  bool abbreviations_;
  bool runners_take_models_ = false;
  std::vector<Section> sections_;
  std::vector<Entry> entries_;
  std::vector<const Command*> subcommands_;
  std::deque<Option> made_;                   // options that come from C tables, and …
  std::deque<std::string> texts_;             // … the texts put together for them
  uint8_t exclusive_ = kExclusiveOfBackends;  // the last Option::exclusive that a back end got
};

}  // namespace polygraphy::cli
