#include "cli/syntax/syntax.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

bool takes_all(const GroupUse& use) {
  return use.only.empty() && use.heading.empty();
}

bool contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Arity arity_of(std::string_view nargs) {
  if (nargs == "0") return Arity::kFlag;
  if (nargs == "?") return Arity::kOptional;
  if (nargs == "+") return Arity::kOneOrMore;
  if (nargs == "*") return Arity::kZeroOrMore;
  return Arity::kOne;
}

ValueType type_of(int32_t type) {
  switch (type) {
    case PGB_INTEGER:
      return ValueType::kInt;
    case PGB_NUMBER:
      return ValueType::kFloat;
    case PGB_FOLDER:
    case PGB_WRITTEN_FOLDER:
      return ValueType::kFolder;
    default:
      return ValueType::kText;
  }
}

FileUse files_of(int32_t type) {
  switch (type) {
    case PGB_PATH:
    case PGB_FOLDER:
      return FileUse::kRead;
    case PGB_WRITTEN_FILE:
    case PGB_WRITTEN_FOLDER:
      return FileUse::kWritten;
    case PGB_UPDATED_FILE:
      return FileUse::kUpdated;
    default:
      return FileUse::kNone;
  }
}

std::string_view text_or_empty(const char* text) {
  return text ? std::string_view(text) : std::string_view();
}

constexpr Option kHelp = {
    .spellings = "-h --help", .help = "Show this help and exit.", .arity = Arity::kFlag};
constexpr Option kHelpAll = {.spellings = "--help-all",
                             .help = "Show the options of runtimes that are not installed, too.",
                             .arity = Arity::kFlag,
                             .origin = Origin::kOurs};
constexpr Option kVersion = {
    .spellings = "-v --version", .help = "Show the version and exit.", .arity = Arity::kFlag};

constexpr Option kGenerate = {
    .spellings = "--generate",
    .help = "Write completions for a shell, or the man page, to standard output.",
    .choices = "completion-bash completion-zsh completion-fish man",
    .origin = Origin::kOurs,
    .answers = true};
constexpr Option kPythonPath = {
    .spellings = "--python-path",
    .help =
        "Show the folder of the Python packages polygraphy and onnx_graphsurgeon, for "
        "PYTHONPATH.",
    .arity = Arity::kFlag,
    .origin = Origin::kOurs,
    .answers = true};

}  // namespace

std::string_view Syntax::Entry::key() const {
  for (const auto spelling : spellings) {
    if (spelling.starts_with("--")) return spelling;
  }
  return spellings.front();
}

std::string Syntax::Entry::display() const {
  return join(spellings, "/");
}

std::string Syntax::Entry::metavar() const {
  if (!option->metavar.empty()) return std::string(option->metavar);
  if (!option->choices.empty()) {
    std::string result = "{" + std::string(choices()) + "}";
    std::replace(result.begin(), result.end(), ' ', ',');
    return result;
  }
  if (positional()) return std::string(key());
  std::string_view name = key();
  name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
  std::string result = to_upper(name);
  std::replace(result.begin(), result.end(), '-', '_');
  return result;
}

size_t Syntax::add_section(Section section) {
  sections_.push_back(section);
  return sections_.size() - 1;
}

void Syntax::add(const Option& option, size_t section) {
  if (option.made_help != nullptr || option.made_choices != nullptr) {
    Option made = option;
    if (made.made_help != nullptr) made.help = texts_.emplace_back(made.made_help());
    if (made.made_choices != nullptr) made.choices = texts_.emplace_back(made.made_choices());
    made.made_help = made.made_choices = nullptr;
    add(made_.emplace_back(made), section);
    return;
  }
  entries_.push_back({&option, split(option.spellings, ' '), section, option.required});
}

const Syntax::Entry* Syntax::find(std::string_view spelling) const {
  for (const auto& entry : entries_) {
    for (const auto candidate : entry.spellings) {
      if (candidate == spelling) return &entry;
    }
  }
  return nullptr;
}

const Syntax::Entry* Syntax::positional() const {
  for (const auto& entry : entries_) {
    if (entry.positional()) return &entry;
  }
  return nullptr;
}

void Syntax::add_runner_flag(const pgb_backend_options& backend, size_t section) {
  made_.push_back({.spellings = text_or_empty(backend.flags),
                   .help = text_or_empty(backend.summary),
                   .arity = Arity::kFlag,
                   .files = FileUse::kReadModel,  // of the runner's own model
                   .origin = backend.flags_ours ? Origin::kOurs : Origin::kOriginal});
  add(made_.back(), section);
  entries_.back().runner = &backend;
}

void Syntax::add_backend_options(const pgb_backend_options& backend, const GroupUse& use) {
  const std::string_view title = text_or_empty(backend.title);
  std::map<std::string_view, size_t> sections;  // by heading
  std::map<int32_t, uint8_t> exclusive;         // by the back end's number
  const auto section_titled = [&](std::string_view heading) {
    const auto [found, is_new] = sections.emplace(heading, 0);
    if (is_new) found->second = add_section({.title = heading, .backend = &backend});
    return found->second;
  };
  const auto wanted = split(use.only, ' ');
  const auto is_wanted = [&](std::string_view spellings, std::string_view heading, bool in_use) {
    if (!use.heading.empty()) return heading == use.heading && in_use;
    return use.only.empty() || contains(wanted, split(spellings, ' ').front());
  };
  if (takes_all(use)) section_titled(title);
  for (size_t i = 0; i < backend.option_count; ++i) {
    const pgb_option_spec& spec = backend.options[i];
    if (!spec.spellings || !is_wanted(spec.spellings, text_or_empty(spec.heading), !spec.instead))
      continue;
    uint8_t number = 0;
    if (spec.exclusive != 0) {
      const auto [found, is_new] = exclusive.emplace(spec.exclusive, uint8_t{0});
      if (is_new) found->second = ++exclusive_;
      number = found->second;
    }
    made_.push_back({.spellings = text_or_empty(spec.spellings),
                     .help = text_or_empty(spec.help),
                     .arity = arity_of(text_or_empty(spec.nargs)),
                     .type = type_of(spec.type),
                     .files = files_of(spec.type),
                     .metavar = text_or_empty(spec.metavar),
                     .choices = text_or_empty(spec.choices),
                     .origin = spec.instead ? Origin::kRemoved
                               : spec.ours  ? Origin::kOurs
                                            : Origin::kOriginal,
                     .instead = text_or_empty(spec.instead),
                     .appends = spec.repeats != 0,
                     .exclusive = number});
    add(made_.back(), section_titled(spec.heading ? spec.heading : title));
    entries_.back().backend = &spec;
  }
  if (!backend.library_option || !is_wanted(backend.library_option, {}, true)) return;
  made_.push_back(
      {.spellings = backend.library_option,
       .help = runs_in_python(backend)
                   ? "Python to run the back end in. Default: the Python that runs scripts."
                   : "Library of the runtime. Default: as `polygraphy backends` shows.",
       .files = FileUse::kRead,
       .metavar = "PATH",
       .origin = Origin::kOurs});
  add(made_.back(), section_titled(title));
}

void Syntax::add_with_formats(const Option& option,
                              std::span<const pgb_backend_options* const> backends,
                              size_t section) {
  std::string offered(option.offered), added(option.added_choices);
  const auto add_word = [](std::string& words, std::string_view word) {
    if (!contains(split(words, ' '), word)) words += (words.empty() ? "" : " ") + std::string(word);
  };
  for (const auto* backend : backends) {
    for (size_t i = 0; i < backend->format_count; ++i) {
      const std::string_view name = backend->formats[i].name;
      add_word(offered, name);
      if (!contains(split(option.choices, ' '), name)) add_word(added, name);
    }
  }
  Option& made = made_.emplace_back(option);
  made.offered = texts_.emplace_back(offered);
  made.added_choices = texts_.emplace_back(added);
  if (!added.empty()) made.choices = texts_.emplace_back(std::string(option.choices) + " " + added);
  add(made, section);
}

void Syntax::check_backend_spellings() const {
  for (const Entry& entry : entries_) {
    const pgb_backend_options* backend = sections_[entry.section].backend;
    if (!backend) backend = entry.runner;
    if (!backend) continue;
    for (const std::string_view spelling : entry.spellings) {
      for (const Entry& other : entries_) {
        if (&other == &entry || !contains(other.spellings, spelling)) continue;
        throw Error("polygraphy_" + std::string(backend->name) + ".so has the option " +
                        std::string(spelling) + ", which `" + prog_ + "` already has",
                    "Remove the file from its folder, or rename its option.");
      }
    }
  }
}

bool takes_backends(const Command& command) {
  return std::any_of(command.groups.begin(), command.groups.end(), [](const GroupUse& use) {
    return use.group->from_backends != FromBackends::kNothing || use.group->lists_backends;
  });
}

namespace {

// Commands without runners of the user's choice, but with options of back ends, work on ONNX
// models.
bool selects_runners(const Command& command) {
  return std::any_of(command.groups.begin(), command.groups.end(), [](const GroupUse& use) {
    return use.group->from_backends == FromBackends::kRunnerFlags;
  });
}

}  // namespace

std::unique_ptr<Syntax> Syntax::of(const Command& command,
                                   std::span<const pgb_backend_options* const> backends,
                                   std::vector<const Command*> below) {
  auto syntax = std::make_unique<Syntax>("polygraphy " + std::string(command.path), true);
  syntax->runners_take_models_ = command.runners_take_models;
  const size_t own = syntax->add_section({.title = "options"});
  syntax->add(kHelp, own);
  syntax->add(kHelpAll, own);
  syntax->add_subcommands(std::move(below), "subtool", own);

  for (const GroupUse& use : command.groups) {
    const ArgGroup& group = *use.group;
    if (group.from_backends == FromBackends::kOptions) {
      for (const auto* backend : backends) {
        if (!takes_all(use) || selects_runners(command) || takes_format(*backend, kOnnxFormat))
          syntax->add_backend_options(*backend, use);
      }
      continue;
    }
    const size_t section =
        syntax->add_section({.title = group.title, .summary = group.summary, .group = &group});
    if (group.from_backends == FromBackends::kRunnerFlags) {
      for (const auto* backend : backends) syntax->add_runner_flag(*backend, section);
    }
    for (const Option& option : group.options) {
      if (option.lists_formats) {
        syntax->add_with_formats(option, backends, section);
      } else {
        syntax->add(option, section);
      }
      if (!use.only.empty() && !contains(split(use.only, ' '), syntax->entries_.back().key())) {
        syntax->entries_.pop_back();
      } else if (contains(split(use.optional, ' '), syntax->entries_.back().key())) {
        syntax->entries_.back().required = false;
      }
    }
    if (group.made_options == nullptr) continue;
    for (const Option& option : group.made_options(backends, syntax->texts_))
      syntax->add(syntax->made_.emplace_back(option), section);
  }
  if (command.run && !command.is_outside) {
    const size_t section = syntax->add_section(
        {.title = args_sandbox.title, .summary = args_sandbox.summary, .group = &args_sandbox});
    for (const Option& option : args_sandbox.options) syntax->add(option, section);
  }
  for (const Option& option : command.options) syntax->add(option, own);
  syntax->check_backend_spellings();
  return syntax;
}

std::unique_ptr<Syntax> Syntax::of_root(std::vector<const Command*> tools) {
  auto syntax = std::make_unique<Syntax>("polygraphy", true);
  const size_t own = syntax->add_section({.title = "options"});
  syntax->add(kHelp, own);
  syntax->add(kHelpAll, own);
  syntax->add(kVersion, own);
  syntax->add(kGenerate, own);
  syntax->add(kPythonPath, own);
  syntax->add_subcommands(std::move(tools), "tools", own);
  return syntax;
}

void Syntax::add_subcommands(std::vector<const Command*> below, std::string_view name,
                             size_t section) {
  subcommands_ = std::move(below);
  if (subcommands_.empty()) return;
  std::string& names = texts_.emplace_back();
  for (const Command* child : subcommands_) {
    if (!names.empty()) names += ' ';
    names += child->path.substr(child->path.rfind(' ') + 1);
  }
  made_.push_back({.spellings = name,
                   .help = {},
                   .arity = Arity::kSubcommand,
                   .choices = names,
                   .required = true});
  add(made_.back(), section);
}

}  // namespace polygraphy::cli
