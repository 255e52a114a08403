#include "cli/syntax/help.h"

#include <algorithm>

#include "base/text.h"
#include "cli/syntax/exit_codes.h"

namespace polygraphy::cli {
namespace {

constexpr size_t kHelpColumn = 24;

std::string values_of(const Syntax::Entry& entry) {
  const std::string name = entry.metavar();
  switch (entry.option->arity) {
    case Arity::kFlag:
      return "";
    case Arity::kOne:
      return name;
    case Arity::kOptional:
      return "[" + name + "]";
    case Arity::kOneOrMore:
      if (name.find(' ') != std::string::npos) return name;  // each value has its own
      return name + " [" + name + " ...]";
    case Arity::kZeroOrMore:
      return "[" + name + " ...]";
    case Arity::kRemainder:
    case Arity::kCommand:
      return "...";
    case Arity::kSubcommand:
      return name + " ...";
  }
  return name;
}

// One entry: the invocation from column 2, the explanation from column 24, on the next line when it
// would collide.
void add_entry(std::string& out, const std::string& head, std::string_view help, size_t columns) {
  out += "  " + head;
  if (help.empty()) {
    out += '\n';
    return;
  }
  const size_t width = std::max<size_t>(columns, kHelpColumn + 20) - kHelpColumn;
  const std::string text = wrapped(help, width, kHelpColumn);
  if (head.size() + 4 <= kHelpColumn) {
    out.append(kHelpColumn - 2 - head.size(), ' ');
    out += text.substr(kHelpColumn);
  } else {
    out += '\n' + text;
  }
  out += '\n';
}

void add_commands(std::string& out, const Syntax& syntax, bool root, size_t columns) {
  const auto& below = syntax.subcommands();
  if (below.empty()) return;
  out += root ? "\nTools:\n" : "\nSubtools:\n";
  for (const Command* command : below) {
    add_entry(out, std::string(command->path.substr(command->path.rfind(' ') + 1)),
              command->summary, columns);
  }
}

// The options that help leaves out, by back end.
class HiddenOptions {
 public:
  void add(const Syntax& syntax, size_t section) {
    const auto& entries = syntax.entries();
    const auto count = std::count_if(entries.begin(), entries.end(), [&](const auto& entry) {
      return entry.section == section && is_listed(entry);
    });
    const std::string flag(split(syntax.sections()[section].backend->flags, ' ').front());
    for (auto& [known, number] : counts_) {
      if (known != flag) continue;
      number += count;
      return;
    }
    counts_.emplace_back(flag, count);
  }

  // "Options of runtimes that are not installed: 212 of --trt, 9 of --torch. …"
  std::string text(std::string_view prog, size_t width) const {
    std::string list;
    for (const auto& [flag, count] : counts_)
      list += (list.empty() ? "" : ", ") + std::to_string(count) + " of " + flag;
    if (list.empty()) return list;
    return "\n" +
           wrapped("Options of runtimes that are not installed are not shown: " + list + ". `" +
                       std::string(prog) + " --help-all` shows them.",
                   width, 0) +
           "\n";
  }

 private:
  std::vector<std::pair<std::string, ptrdiff_t>> counts_;
};

// Command lines, broken as a shell reads them.
std::string command_lines(std::string_view lines, size_t width) {
  constexpr size_t kIndent = 2, kFurther = 6;
  std::string text;
  for (const std::string_view line : split(lines, '\n')) {
    const std::string broken = wrapped(line, width - kFurther - 2, kFurther).substr(kFurther);
    text.append(kIndent, ' ') += replace_all(broken, "\n", " \\\n") + "\n";
  }
  return text;
}

// "Exit code: 0 agrees, or done; 1 differs, or a check failed; …"; empty for a command with its own
// in its description.
std::string exit_codes(const Command& command, const Syntax& syntax, size_t width) {
  constexpr std::string_view kTitle = "Exit code: ";
  if (command.description.find(kTitle) != std::string_view::npos) return {};
  std::string text(kTitle);
  for (const ExitCode& row : kExitCodes) {
    if (row.short_meaning.empty()) continue;
    if (!row.option.empty() && !syntax.find(row.option)) continue;
    if (text != kTitle) text += "; ";
    const bool is_other = row.codes == "3" && command.failure == kOriginalFailure;
    text += (is_other ? "1 also: " : std::string(row.codes) + " ") + std::string(row.short_meaning);
  }
  return "\n" + wrapped(text + ".", width, 0) + "\n";
}

// The names of a section's options.
std::string names_in(const Syntax& syntax, size_t section, size_t width) {
  std::string names;
  for (const auto& entry : syntax.entries()) {
    if (entry.section == section && is_listed(entry) && !entry.positional())
      names += (names.empty() ? "" : " ") + std::string(entry.key());
  }
  return names.empty() ? names : wrapped(names, width - 2, 2) + "\n";
}

}  // namespace

bool is_listed(const Syntax::Entry& entry) {
  const Origin origin = entry.option->origin;
  return origin != Origin::kRemoved && origin != Origin::kInternal &&
         entry.option->arity != Arity::kSubcommand;
}

std::string wrapped(std::string_view text, size_t width, size_t indent) {
  const std::string margin(indent, ' ');
  std::string result = margin;
  size_t used = 0;
  for (const auto word : split(text, ' ')) {
    if (word.empty()) continue;
    if (used != 0 && used + 1 + word.size() > width) {
      result += "\n" + margin;
      used = 0;
    }
    if (used != 0) result += ' ';
    result += word;
    used += word.size() + (used != 0);
  }
  return result;
}

std::string invocation(const Syntax::Entry& entry) {
  const std::string values = values_of(entry);
  if (entry.positional()) return entry.metavar();
  return join(entry.spellings, ", ") + (values.empty() ? "" : " " + values);
}

std::string usage_text(const Syntax& syntax) {
  std::string text = "usage: " + syntax.prog() + " [-h] [options]";
  if (const auto* positional = syntax.positional()) {
    const std::string values = values_of(*positional);
    text += ' ' + values;
  }
  return text + '\n';
}

std::string help_text(const Syntax& syntax, const Command* command, int columns,
                      const HidesBackend& hides, HelpForm form) {
  const bool brief = form == HelpForm::kBrief;
  // argparse leaves two columns free.
  const size_t width = static_cast<size_t>(std::max(columns, 40)) - 2;
  std::string out = usage_text(syntax);
  const std::string_view description =
      command ? command->description
              : "Run a neural network on several runtimes with the same inputs, compare the "
                "outputs layer by layer, and inspect models and saved data.";
  if (!description.empty()) out += "\n" + wrapped(description, width, 0) + "\n";
  add_commands(out, syntax, command == nullptr, width);

  HiddenOptions hidden;
  bool is_first = true;
  for (size_t section = 0; section < syntax.sections().size(); ++section) {
    const auto& heading = syntax.sections()[section];
    if (hides && heading.backend && hides(*heading.backend)) {
      hidden.add(syntax, section);
      continue;
    }
    std::string entries = brief ? names_in(syntax, section, width) : "";
    for (const auto& entry : syntax.entries()) {
      if (brief || entry.section != section) continue;
      if (is_listed(entry)) add_entry(entries, invocation(entry), entry.option->help, width);
    }
    if (entries.empty()) continue;
    if (!brief || is_first) out += "\n";
    is_first = false;
    out += std::string(heading.title) + ":\n";
    if (!brief && !heading.summary.empty()) out += wrapped(heading.summary, width - 2, 2) + "\n\n";
    out += entries;
  }
  out += hidden.text(syntax.prog(), width);
  if (brief) out += "\n`" + syntax.prog() + " --help` explains the options.\n";
  if (command && command->run) out += exit_codes(*command, syntax, width);
  if (command && !command->examples.empty()) {
    out += "\nExamples:\n" + command_lines(command->examples, width);
  }
  return out;
}

}  // namespace polygraphy::cli
