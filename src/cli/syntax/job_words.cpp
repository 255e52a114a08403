#include "cli/syntax/job_words.h"

#include <utility>

#include "base/near_names.h"
#include "base/text.h"
#include "cli/syntax/value_parsing.h"

namespace polygraphy::cli {
namespace {

using Form = JobArgument::Form;
using Scalar = JobArgument::Scalar;

bool takes_rest(const Syntax::Entry& entry) {
  return entry.option->arity == Arity::kCommand || entry.option->arity == Arity::kRemainder;
}

// The words of a job, argument by argument.
class Words {
 public:
  Words(const JobDocument& job, const Syntax& syntax)
      : job_(job), syntax_(syntax), positional_(split_words(job.command)) {}

  std::vector<std::string> take() {
    for (const JobRunner& runner : job_.runners) add(runner);
    for (const auto& [name, argument] : job_.arguments) add(name, argument);
    // A command takes all words behind it.
    for (auto* more : {&options_, &rest_})
      positional_.insert(positional_.end(), more->begin(), more->end());
    return std::move(positional_);
  }

 private:
  static std::vector<std::string> split_words(std::string_view command) {
    const auto words = split(command, ' ');
    return {words.begin(), words.end()};
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

  void add(const JobRunner& runner) {
    const Syntax::Entry& entry =
        find(runner.name, "runner", [](const auto& each) { return each.selects_runner(); });
    const bool needs_file = entry.option->arity == Arity::kOne;
    if (needs_file && runner.file.empty()) refuse(runner.name, "needs the member 'file'");
    if (!needs_file && !runner.file.empty() && !syntax_.runners_take_models())
      refuse(runner.name, "does not support a file in this command");
    options_.emplace_back(entry.key());
    if (!runner.file.empty()) options_.push_back(checked(runner.name, entry, {runner.file}));
  }

  void add(const std::string& name, const JobArgument& argument) {
    const Syntax::Entry& entry =
        find(name, "argument", [](const auto& each) { return !each.selects_runner(); });
    if (argument.form == Form::kUnset) return;
    require_form(name, entry, argument.form);
    if (entry.positional()) return add_values(name, entry, argument.uses.front(), positional_);
    if (takes_rest(entry)) require_rest(name, argument);
    auto& words = takes_rest(entry) ? rest_ : options_;
    if (argument.form == Form::kSet) return words.emplace_back(entry.key()), void();
    const bool each_alone = entry.option->appends && !takes_list(entry.option->arity);
    for (const auto& use : argument.uses) {
      if (!each_alone) {
        add_use(name, entry, use, words);
        continue;
      }
      for (const Scalar& value : use) add_use(name, entry, {value}, words);
    }
  }

  // Words behind a command in shell syntax would be options.
  void require_rest(const std::string& name, const JobArgument& argument) const {
    if (!rest_.empty()) refuse(name, "is a second command", "Leave out one.");
    for (const auto& use : argument.uses) {
      if (use.size() > 1 && is_shell_command(use.front().text))
        refuse(name, "has a command in shell syntax and further words", "Write one text.");
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
                                             : option.appends && takes_list(option.arity);
    if (suits) return;
    refuse(name, option.arity == Arity::kFlag ? "is true or false"
                 : form == Form::kSet         ? "needs a value"
                 : many                       ? "has no lists in its list"
                                              : "takes one value, not a list");
  }

  void add_use(const std::string& name, const Syntax::Entry& entry, const std::vector<Scalar>& use,
               std::vector<std::string>& words) const {
    if (use.size() == 1 && use.front().text.starts_with("-") && !takes_rest(entry)) {
      words.push_back(std::string(entry.key()) + "=" + use.front().text);
      return;
    }
    words.emplace_back(entry.key());
    add_values(name, entry, use, words);
  }

  void add_values(const std::string& name, const Syntax::Entry& entry,
                  const std::vector<Scalar>& values, std::vector<std::string>& words) const {
    for (const Scalar& value : values)
      words.push_back(takes_rest(entry) ? value.text : checked(name, entry, value));
  }

  // A value that would be an option.
  std::string checked(const std::string& name, const Syntax::Entry& entry,
                      const Scalar& value) const {
    // The parser cuts "mark all--trt" before the option, as the original does.
    const bool may_be_option =
        (value.text.size() > 1 && value.text[0] == '-') || value.text.starts_with("all--");
    if (!may_be_option || (value.is_number && !entry.positional())) return value.text;
    refuse(name, "has the value '" + value.text + "', which may be an option",
           entry.option->names_files() ? "Write ./" + value.text + "." : "");
  }

  const JobDocument& job_;
  const Syntax& syntax_;
  std::vector<std::string> positional_, options_, rest_;
};

}  // namespace

std::vector<std::string> words_of(const JobDocument& job, const Syntax& syntax) {
  return Words(job, syntax).take();
}

}  // namespace polygraphy::cli
