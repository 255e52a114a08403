#include "cli/syntax/job_words.h"

#include <algorithm>
#include <utility>

#include "base/near_names.h"
#include "base/text.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {
namespace {

using Form = JobArgument::Form;
using Scalar = JobArgument::Scalar;
using Uses = std::vector<std::vector<std::string>>;  // the values of each use of an option

bool takes_rest(const Syntax::Entry& entry) {
  return entry.option->arity == Arity::kCommand || entry.option->arity == Arity::kRemainder;
}

Uses uses_of(const JobArgument& argument, const Option& option) {
  if (argument.form == Form::kSet) return {{}};
  const bool one_each = option.appends && !takes_list(option.arity) && argument.form == Form::kList;
  Uses uses;
  for (const auto& use : argument.uses) {
    if (!one_each) uses.emplace_back();
    for (const Scalar& value : use) {
      if (one_each) uses.emplace_back();
      uses.back().push_back(value.text);
    }
  }
  return uses;
}

class Words {
 public:
  Words(const JobDocument& job, const Syntax& syntax) : job_(job), syntax_(syntax) {}

  std::vector<std::string> take(const std::vector<std::string>& further) {
    for (const JobRunner& runner : job_.runners) add(runner);
    for (const auto& [name, argument] : job_.arguments) add(name, argument);
    require_same(joined({}));
    // Options behind the job may have another command in the place of the job's.
    const bool replaced = std::ranges::any_of(further, [&](const std::string& word) {
      const Syntax::Entry* entry = syntax_.find(word);
      return entry && takes_rest(*entry);
    });
    if (replaced) rest_.clear();
    std::vector<std::string> words = joined(further);
    const auto command = split(job_.command, ' ');
    words.insert(words.begin(), command.begin(), command.end());
    return words;
  }

 private:
  // Words of a command come last: it takes all that follow.
  std::vector<std::string> joined(const std::vector<std::string>& further) const {
    std::vector<std::string> words = positional_;
    for (const auto* more : {&options_, &further, &rest_})
      words.insert(words.end(), more->begin(), more->end());
    return words;
  }

  [[noreturn]] void refuse(const std::string& name, const std::string& fault,
                           std::string hint = {}) const {
    throw Error("job '" + job_.command + "': argument '" + name + "' " + fault, std::move(hint));
  }

  template <typename Suits>
  const Syntax::Entry& find(const std::string& name, std::string_view kind, Suits suits) const {
    std::vector<std::string> names;
    for (const Syntax::Entry& entry : syntax_.entries()) {
      if (!is_of_jobs(syntax_, entry) || !suits(entry)) continue;
      names.push_back(argument_name(entry));
      if (names.back() == name) return entry;
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::string meant = did_you_mean(name, known);
    throw Error("job '" + job_.command + "': unknown " + std::string(kind) + " '" + name + "'",
                (meant.empty() ? "" : meant + "\n") + "`polygraphy schema " + job_.command +
                    " --job` lists the known ones.");
  }

  const Syntax::Entry& argument_entry(const std::string& name) const {
    return find(name, "argument", [](const auto& each) { return !each.selects_runner(); });
  }

  void add(const JobRunner& runner) {
    const Syntax::Entry& entry =
        find(runner.name, "runner", [](const auto& each) { return each.selects_runner(); });
    const bool needs_file = entry.option->arity == Arity::kOne;
    if (needs_file && runner.file.empty()) refuse(runner.name, "needs the member 'file'");
    if (!needs_file && !runner.file.empty() && !syntax_.runners_take_models())
      refuse(runner.name, "does not support a file in this command");
    options_.emplace_back(entry.key());
    if (!runner.file.empty()) options_.push_back(runner.file);
  }

  void add(const std::string& name, const JobArgument& argument) {
    const Syntax::Entry& entry = argument_entry(name);
    if (argument.form == Form::kUnset) return;
    require_form(name, entry, argument.form);
    auto& words = entry.positional() ? positional_ : takes_rest(entry) ? rest_ : options_;
    if (takes_rest(entry) && !rest_.empty()) refuse(name, "is a second command", "Leave out one.");
    for (const auto& use : uses_of(argument, *entry.option)) {
      const std::string key = entry.positional() ? "" : std::string(entry.key());
      if (use.size() == 1 && use.front().starts_with("-") && &words == &options_) {
        words.push_back(key + "=" + use.front());
        continue;
      }
      if (!key.empty()) words.push_back(key);
      words.insert(words.end(), use.begin(), use.end());
    }
  }

  void require_form(const std::string& name, const Syntax::Entry& entry, Form form) const {
    const Option& option = *entry.option;
    const bool many = takes_list(option.arity) || option.appends;
    const bool may_stand_alone =
        option.arity == Arity::kFlag || (option.arity == Arity::kOptional && !entry.positional());
    const bool suits = form == Form::kSet    ? may_stand_alone
                       : form == Form::kOne  ? option.arity != Arity::kFlag
                       : form == Form::kList ? option.arity != Arity::kFlag && many
                                             : option.appends;
    if (suits) return;
    refuse(name, option.arity == Arity::kFlag ? "is true or false"
                 : form == Form::kSet         ? "needs a value"
                 : many                       ? "has no lists in its list"
                                              : "takes one value, not a list");
  }

  ParsedArgs parsed(const std::vector<std::string>& words) const {
    try {
      return parse_args(syntax_, words);
    } catch (const UsageError& error) {
      throw Error("job '" + job_.command + "': " + error.what());
    }
  }

  // The parser decides whether a value is an option: it must find the job's values.
  void require_same(const std::vector<std::string>& words) const {
    constexpr const char* kOtherwise = "has a value that is an option or another argument";
    const ParsedArgs found = parsed(words);
    for (const auto& [name, argument] : job_.arguments) {
      const Syntax::Entry& entry = argument_entry(name);
      Uses wanted = uses_of(argument, *entry.option);
      if (entry.positional() && wanted == Uses{{}}) wanted.clear();
      if (found.all(entry.key()) == wanted) continue;
      refuse(name, kOtherwise, entry.option->names_files() ? "Begin a path with './'." : "");
    }
    auto runner = job_.runners.begin();
    for (const Occurrence& use : found.occurrences()) {
      const std::string name = argument_name(*use.entry);
      if (!use.selects_runner()) {
        if (!job_.arguments.contains(name) && !use.values.empty()) refuse(name, kNotThere);
        continue;
      }
      const std::string file = use.values.empty() ? "" : use.values.front();
      if (runner == job_.runners.end() || runner->name != name || runner->file != file)
        refuse(name, kOtherwise);
      ++runner;
    }
    if (runner != job_.runners.end()) refuse(runner->name, kOtherwise);
    for (const std::string& word : found.unrecognized())
      throw Error("job '" + job_.command + "': '" + word + "' is an option, not a value");
  }

  static constexpr const char* kNotThere =
      "is missing, and a value of another argument would take its place";

  const JobDocument& job_;
  const Syntax& syntax_;
  std::vector<std::string> positional_, options_, rest_;
};

}  // namespace

std::vector<std::string> words_of(const JobDocument& job, const Syntax& syntax,
                                  const std::vector<std::string>& further) {
  return Words(job, syntax).take(further);
}

}  // namespace polygraphy::cli
