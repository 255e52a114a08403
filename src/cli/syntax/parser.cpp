#include "cli/syntax/parser.h"

#include <algorithm>
#include <cassert>

#include "base/arrays/py_repr.h"
#include "base/near_names.h"
#include "base/py_numbers.h"
#include "base/text.h"
#include "cli/syntax/missing_space.h"
#include "cli/syntax/value_parsing.h"

namespace polygraphy::cli {
namespace {

constexpr size_t kNoMatch = static_cast<size_t>(-1);

bool matches(char token, std::string_view set) {
  return set.find(token) != std::string_view::npos;
}

size_t span_of(std::string_view pattern, size_t start, std::string_view set,
               size_t most = kNoMatch) {
  size_t n = 0;
  while (start + n < pattern.size() && n < most && matches(pattern[start + n], set)) ++n;
  return n;
}

// How many of the tokens that begin `pattern` ('A' argument, 'O' option, '-' the first "--") an
// option of this arity takes; kNoMatch when there are too few. "--" ends an option's values.
size_t option_span(Arity arity, std::string_view pattern) {
  const size_t arguments = span_of(pattern, 0, "A");
  switch (arity) {
    case Arity::kFlag:
      return 0;
    case Arity::kOne:
      return arguments ? 1 : kNoMatch;
    case Arity::kOptional:
      return std::min<size_t>(arguments, 1);
    case Arity::kZeroOrMore:
      return arguments;
    case Arity::kOneOrMore:
      return arguments ? arguments : kNoMatch;
    case Arity::kRemainder:
    case Arity::kCommand:
    case Arity::kSubcommand:
      return span_of(pattern, 0, "AO");
  }
  return kNoMatch;
}

// The same for a positional: "--" may stand anywhere among its values.
size_t positional_span(Arity arity, std::string_view pattern) {
  const size_t dashes = span_of(pattern, 0, "-");
  const bool has_argument = dashes < pattern.size() && pattern[dashes] == 'A';
  switch (arity) {
    case Arity::kFlag:
      return dashes;
    case Arity::kOne:
    case Arity::kOptional: {
      if (!has_argument) return arity == Arity::kOne ? kNoMatch : dashes;
      return dashes + 1 + span_of(pattern, dashes + 1, "-");
    }
    case Arity::kZeroOrMore:
      return span_of(pattern, 0, "A-");
    case Arity::kOneOrMore:
      return has_argument ? span_of(pattern, 0, "A-") : kNoMatch;
    case Arity::kRemainder:
    case Arity::kCommand:
      return span_of(pattern, 0, "A-O");
    case Arity::kSubcommand:
      return has_argument ? pattern.size() : kNoMatch;
  }
  return kNoMatch;
}

// Python's pattern for a word that may be a negative number: -1, -1.5, -.5.
bool looks_like_negative_number(std::string_view text) {
  if (text.size() < 2 || text[0] != '-') return false;
  size_t i = 1;
  const auto digits = [&] {
    const size_t start = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - start;
  };
  const size_t whole = digits();
  if (i == text.size()) return whole > 0;
  if (text[i++] != '.') return false;
  return digits() > 0 && i == text.size();
}

std::string_view type_name(ValueType type) {
  return type == ValueType::kInt ? "int" : "float";
}

}  // namespace

class Parser {
 public:
  Parser(const Syntax& syntax, std::span<const std::string> args)
      : syntax_(syntax), args_(insert_missing_spaces(syntax, args)), result_(syntax) {}

  ParsedArgs run() {
    classify();
    consume();
    if (!result_.wants_help_ && !result_.wants_version_) check_required();
    return std::move(result_);
  }

 private:
  // A token that begins with a dash.
  struct Token {
    const Syntax::Entry* entry = nullptr;  // null: an option that this parser does not have
    std::string spelling;
    std::optional<std::string> explicit_value;  // after '=', or glued to a short option
  };

  [[noreturn]] void fail(const std::string& message) const {
    throw UsageError(syntax_.prog(), message);
  }
  [[noreturn]] void fail(const Syntax::Entry& entry, const std::string& message) const {
    fail("argument " + entry.display() + ": " + message);
  }

  void classify() {
    for (size_t i = 0; i < args_.size(); ++i) {
      if (args_[i] == "--") {
        pattern_ += '-';
        pattern_.append(args_.size() - i - 1, 'A');
        break;
      }
      std::optional<Token> token = classify_one(args_[i]);
      if (token && token->entry)
        in_command_ |= token->entry->option->arity == Arity::kCommand ||
                       token->entry->option->arity == Arity::kRemainder;
      pattern_ += token ? 'O' : 'A';
      tokens_.resize(i + 1);
      if (token) tokens_[i] = std::move(*token);
    }
    tokens_.resize(args_.size());
  }

  // nullopt: a value.
  std::optional<Token> classify_one(const std::string& arg) const {
    if (arg.size() < 2 || arg[0] != '-') return std::nullopt;
    if (const auto* entry = option(arg)) return Token{entry, arg, std::nullopt};
    const size_t equals = arg.find('=');
    if (equals != std::string::npos) {
      const std::string before = arg.substr(0, equals);
      if (const auto* entry = option(before)) return Token{entry, before, arg.substr(equals + 1)};
    }
    std::vector<Token> candidates = arg[1] == '-' ? abbreviations(arg) : short_options(arg);
    // The words of a command are its own.
    if (candidates.size() > 1 && in_command_) return std::nullopt;
    if (candidates.size() > 1) {
      std::vector<std::string> names;
      for (const auto& candidate : candidates) names.push_back(candidate.spelling);
      fail("ambiguous option: " + arg + " could match " + join(names, ", "));
    }
    if (candidates.size() == 1) return candidates.front();
    if (looks_like_negative_number(arg)) return std::nullopt;
    if (arg.find(' ') != std::string::npos) return std::nullopt;
    return Token{nullptr, arg, std::nullopt};
  }

  const Syntax::Entry* option(std::string_view spelling) const {
    const auto* entry = syntax_.find(spelling);
    return entry && !entry->positional() ? entry : nullptr;
  }

  // Two spellings of one option that share the prefix are ambiguous, as in argparse up to
  // Python 3.11.
  std::vector<Token> abbreviations(const std::string& arg) const {
    std::vector<Token> found;
    if (!syntax_.abbreviations()) return found;
    const size_t equals = arg.find('=');
    const std::string_view prefix = std::string_view(arg).substr(0, equals);
    for (const auto& entry : syntax_.entries()) {
      if (entry.option->origin != Origin::kOriginal || entry.positional()) continue;
      for (const auto spelling : entry.spellings) {
        if (!spelling.starts_with(prefix)) continue;
        Token token{&entry, std::string(spelling), std::nullopt};
        if (equals != std::string::npos) token.explicit_value = arg.substr(equals + 1);
        found.push_back(std::move(token));
      }
    }
    return found;
  }

  // "-ovalue" and clusters of flags: the rest after the letter is the option's value for now.
  std::vector<Token> short_options(const std::string& arg) const {
    std::vector<Token> found;
    for (const auto& entry : syntax_.entries()) {
      for (const auto spelling : entry.spellings) {
        if (spelling.size() == 2 && arg.starts_with(spelling) && spelling[0] == '-') {
          found.push_back(Token{&entry, std::string(spelling), arg.substr(2)});
        }
      }
    }
    return found;
  }

  void consume() {
    size_t last_option = kNoMatch;
    for (size_t i = 0; i < pattern_.size(); ++i) {
      if (pattern_[i] == 'O') last_option = i;
    }
    size_t at = 0;
    while (last_option != kNoMatch && at <= last_option) {
      size_t next = at;
      while (pattern_[next] != 'O') ++next;
      if (next != at) {
        const size_t end = consume_positional(at);
        if (stopped()) return;
        if (end > at) {
          at = end;
          continue;
        }
        if (takes_model(at)) result_.occurrences_.back().values = {args_[at++]};
        for (; at < next; ++at) result_.unrecognized_.push_back(args_[at]);
      }
      at = consume_option(at);
      if (stopped()) return;
    }
    at = consume_positional(at);
    if (takes_model(at)) result_.occurrences_.back().values = {args_[at++]};
    for (; at < args_.size(); ++at) result_.unrecognized_.push_back(args_[at]);
  }

  // A surplus argument directly behind the flag of a runner: the original refuses any.
  bool takes_model(size_t at) const {
    if (!syntax_.runners_take_models() || at == 0 || at >= args_.size()) return false;
    const Syntax::Entry* before = pattern_[at - 1] == 'O' ? tokens_[at - 1].entry : nullptr;
    return before && before->runner && pattern_[at] == 'A';
  }

  bool stopped() const { return result_.wants_help_ || result_.wants_version_; }

  // A parser of ours has at most one positional, so argparse's joint match of several is not
  // needed.
  size_t consume_positional(size_t at) {
    const auto* entry = syntax_.positional();
    if (!entry || positional_done_) return at;
    const size_t count =
        positional_span(entry->option->arity, std::string_view(pattern_).substr(at));
    if (count == kNoMatch) return at;
    positional_done_ = true;
    std::vector<std::string> values(args_.begin() + at, args_.begin() + at + count);
    if (entry->option->arity != Arity::kRemainder && entry->option->arity != Arity::kSubcommand) {
      const auto dashes = std::find(values.begin(), values.end(), "--");
      if (dashes != values.end()) values.erase(dashes);
    }
    // An optional positional may match nothing; then it has not been given.
    if (values.empty() && entry->option->arity != Arity::kOneOrMore) return at + count;
    take({entry, std::string(entry->key()), std::move(values)});
    return at + count;
  }

  size_t consume_option(size_t at) {
    Token token = tokens_[at];
    if (!token.entry) {
      result_.unrecognized_.push_back(args_[at]);
      return at + 1;
    }
    std::vector<Occurrence> taken;
    while (token.explicit_value) {
      const Arity arity = token.entry->option->arity;
      const size_t count = option_span(arity, "A");
      const std::string value = *token.explicit_value;
      if (count == 1) {
        taken.push_back({token.entry, token.spelling, {value}});
        take_all(taken);
        return at + 1;
      }
      // A flag with more behind it: the next letter is another short option.
      if (token.spelling[1] == '-' || value.empty()) {
        fail(*token.entry, "ignored explicit argument " + py_str_repr(value));
      }
      taken.push_back({token.entry, token.spelling, {}});
      const std::string next = std::string("-") + value[0];
      const auto* entry = option(next);
      if (!entry) fail(*token.entry, "ignored explicit argument " + py_str_repr(value));
      token.entry = entry;
      token.spelling = next;
      token.explicit_value.reset();
      if (value.size() > 1) token.explicit_value = value.substr(1);
    }
    const Arity arity = token.entry->option->arity;
    size_t count = option_span(arity, std::string_view(pattern_).substr(at + 1));
    if (arity == Arity::kCommand && count > 1 && is_shell_command(args_[at + 1])) count = 1;
    if (count == kNoMatch) {
      fail(*token.entry,
           arity == Arity::kOne ? "expected one argument" : "expected at least one argument");
    }
    const auto first = args_.begin() + at + 1;
    taken.push_back({token.entry, token.spelling, {first, first + count}});
    take_all(taken);
    return at + 1 + count;
  }

  void take_all(std::vector<Occurrence>& taken) {
    for (Occurrence& occurrence : taken) {
      if (stopped()) return;
      take(std::move(occurrence));
    }
  }

  void take(Occurrence occurrence) {
    const Syntax::Entry& entry = *occurrence.entry;
    check_values(entry, occurrence.values);
    check_exclusive(entry);
    if (entry.key() == "--help" || entry.key() == "--help-all") result_.wants_help_ = true;
    if (entry.key() == "--version") result_.wants_version_ = true;
    result_.add(std::move(occurrence));
  }

  void check_values(const Syntax::Entry& entry, const std::vector<std::string>& values) const {
    const Option& option = *entry.option;
    for (const std::string& value : values) {
      bool too_big = false;
      const bool bad = (option.type == ValueType::kInt && !parse_int(value, &too_big)) ||
                       (option.type == ValueType::kFloat && !parse_float(value));
      if (bad) {
        fail(entry,
             "invalid " + std::string(type_name(option.type)) + " value: " + py_str_repr(value));
      }
      if (too_big) fail(entry, "value out of range: " + py_str_repr(value));
    }
    if (option.choices.empty() || option.arity == Arity::kRemainder) return;
    const auto choices = split(option.choices, ' ');
    for (const std::string& typed : values) {
      const std::string_view value =
          option.choice_arguments ? std::string_view(typed).substr(0, typed.find(':')) : typed;
      if (std::find(choices.begin(), choices.end(), value) != choices.end()) {
        if (option.arity == Arity::kSubcommand) return;  // the rest belongs to the subcommand
        continue;
      }
      const std::vector<std::string> names(choices.begin(), choices.end());
      std::string quoted;
      for (const auto& name : names) quoted += (quoted.empty() ? "" : ", ") + py_str_repr(name);
      std::string meant = did_you_mean(value, choices);
      // A file in the place of the command that looks at it.
      const bool is_file = value.find_first_of("./") != value.npos && !value.starts_with('-');
      if (option.arity == Arity::kSubcommand && is_file && meant.empty())
        meant = "Write the command before the file, such as: " + std::string(choices.front()) +
                " " + typed;
      fail(entry, "invalid choice: " + py_str_repr(std::string(value)) + " (choose from " + quoted +
                      ")" + (meant.empty() ? "" : ". " + meant));
    }
  }

  void check_exclusive(const Syntax::Entry& entry) const {
    const uint8_t set = entry.option->exclusive;
    if (set == 0) return;
    for (const auto& other : result_.occurrences()) {
      if (other.entry != &entry && other.entry->option->exclusive == set) {
        fail(entry, "not allowed with argument " + other.entry->display());
      }
    }
  }

  void check_required() const {
    for (const Occurrence& occurrence : result_.occurrences()) {
      if (occurrence.entry->option->answers) return;
    }
    std::vector<std::string> missing;
    bool command = true;  // only commands are missing
    for (const auto& entry : syntax_.entries()) {
      if (!entry.required || result_.has(entry.key())) continue;
      missing.push_back(entry.display());
      command &= entry.option->arity == Arity::kSubcommand;
    }
    if (missing.empty()) return;
    // The option is what is wrong: the command is missing because nothing stands behind it.
    if (command && !result_.unrecognized().empty())
      fail("unrecognized arguments: " + join(result_.unrecognized(), " "));
    fail("the following arguments are required: " + join(missing, ", "));
  }

  const Syntax& syntax_;
  std::vector<std::string> args_;
  ParsedArgs result_;
  std::string pattern_;        // one letter per token: 'A', 'O', '-'
  bool in_command_ = false;    // behind an option that takes a command
  std::vector<Token> tokens_;  // by position; meaningful where the pattern says 'O'
  bool positional_done_ = false;
};

ParsedArgs parse_args(const Syntax& syntax, std::span<const std::string> args) {
  return Parser(syntax, args).run();
}

// Callers name options by their first spelling.
[[maybe_unused]] static bool is_key(const Syntax& syntax, std::string_view key) {
  const auto* entry = syntax.find(key);
  return entry != nullptr && entry->key() == key;
}

size_t ParsedArgs::count(std::string_view key) const {
  assert(is_key(*syntax_, key));
  size_t n = 0;
  for (const auto& occurrence : occurrences_) n += occurrence.entry->key() == key;
  return n;
}

const Occurrence* ParsedArgs::last(std::string_view key) const {
  assert(is_key(*syntax_, key));
  for (size_t i = occurrences_.size(); i-- > 0;) {
    if (occurrences_[i].entry->key() == key) return &occurrences_[i];
  }
  return nullptr;
}

std::vector<std::string> ParsedArgs::list(std::string_view key) const {
  const auto* occurrence = last(key);
  return occurrence ? occurrence->values : std::vector<std::string>{};
}

std::vector<std::vector<std::string>> ParsedArgs::all(std::string_view key) const {
  std::vector<std::vector<std::string>> result;
  for (const auto& occurrence : occurrences_) {
    if (occurrence.entry->key() == key) result.push_back(occurrence.values);
  }
  return result;
}

std::optional<std::string> ParsedArgs::text(std::string_view key) const {
  const auto* occurrence = last(key);
  if (!occurrence || occurrence->values.empty()) return std::nullopt;
  return occurrence->values.front();
}

std::optional<int64_t> ParsedArgs::integer(std::string_view key) const {
  const auto value = text(key);
  return value ? parse_int(*value) : std::nullopt;
}

std::optional<double> ParsedArgs::number(std::string_view key) const {
  const auto value = text(key);
  return value ? parse_float(*value) : std::nullopt;
}

std::string ParsedArgs::display(std::string_view key) const {
  return syntax_->find(key)->display();
}

// Runtimes and devices as other programs name them, and their options here.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"--ort", "--onnxrt"},        {"--onnxruntime", "--onnxrt"}, {"--onnx-runtime", "--onnxrt"},
    {"--tensorrt", "--trt"},      {"--pytorch", "--torch"},      {"--tensorflow", "--tf"},
    {"--cpu", "--providers cpu"}, {"--gpu", "--providers cuda"}, {"--cuda", "--providers cuda"},
};

static std::string suggest_name(const Syntax& syntax, std::string_view typed) {
  for (const auto& [name, meant] : kOtherNames) {
    if (name == typed && syntax.find(meant.substr(0, meant.find(' '))))
      return "Did you mean '" + std::string(meant) + "'?";
  }
  return {};
}

std::string suggest_option(const Syntax& syntax, std::string_view typed,
                           std::span<const std::string> more) {
  constexpr std::string_view kDashes = "--";
  std::vector<std::string_view> spellings, names;
  const auto add = [&](std::string_view spelling) {
    if (!spelling.starts_with(kDashes)) return;
    spellings.push_back(spelling);
    names.push_back(spelling.substr(kDashes.size()));
  };
  for (const auto& entry : syntax.entries()) {
    if (entry.positional() || entry.option->origin == Origin::kRemoved) continue;
    for (const auto spelling : entry.spellings) add(spelling);
  }
  for (const std::string& spelling : more) add(spelling);
  typed = typed.substr(0, typed.find('='));
  std::string meant = suggest_name(syntax, typed);
  if (!meant.empty()) return meant;
  // Ours, which cannot be abbreviated: --open of --openvino.
  constexpr size_t kShortest = 5;
  std::string_view longer;
  for (const std::string_view one : spellings) {
    if (typed.size() >= kShortest && one.starts_with(typed) &&
        (longer.empty() || one.size() < longer.size()))
      longer = one;
  }
  if (!longer.empty()) return "Did you mean '" + std::string(longer) + "'?";
  meant = did_you_mean(typed, spellings);
  if (!meant.empty()) return meant;
  typed.remove_prefix(std::min(typed.find_first_not_of('-'), typed.size()));
  return did_you_mean(typed, names, kDashes);  // parts of names: --threads of --onnxrt-threads
}

}  // namespace polygraphy::cli
