#include "polygraphy/runtimes/runner_spec/runner_spec.h"

#include <charconv>
#include <cmath>

#include "base/shell_words.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/runner_spec/runner_spec_fields.h"

namespace polygraphy {
namespace {

constexpr std::string_view kNotASpec =
    "A runner is a back end or the path of a program, and options: "
    "\"onnxrt providers=cpu --isolated\".";

[[noreturn]] void refuse(std::string_view word, const std::string& why) {
  throw Error(kBadRunnerSpec, "'" + std::string(word) + "' of a runner " + why,
              std::string(kNotASpec));
}

double parse_seconds(std::string_view word, std::string_view value) {
  double seconds = 0;
  const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (failed != std::errc() || end != value.data() + value.size() || !(seconds > 0) ||
      !std::isfinite(seconds))
    refuse(word, "is not a positive number of seconds");
  return seconds;
}

// KEY, KEY=VALUE or KEY+=VALUE.
void add_option(std::string_view word, BackendOptions& options) {
  const size_t equal = word.find('=');
  std::string_view key = word.substr(0, equal);
  const bool further = equal != word.npos && key.ends_with('+');
  if (further) key.remove_suffix(1);
  if (key.empty()) refuse(word, "is not an option");
  if (further) {
    if (options.empty() || options.back().first != key || options.back().second.empty())
      refuse(word, "adds to an option that does not stand before it");
    options.back().second.emplace_back(word.substr(equal + 1));
    return;
  }
  auto& values = options.emplace_back(std::string(key), std::vector<std::string>()).second;
  if (equal != word.npos) values.emplace_back(word.substr(equal + 1));
}

// --NAME or --NAME=VALUE.
void set_field(std::string_view word, RunnerSpec& spec) {
  const std::string_view body = word.substr(2);
  const size_t equal = body.find('=');
  const std::string_view name = body.substr(0, equal);
  const std::string_view value = equal == body.npos ? "" : body.substr(equal + 1);
  for (const RunnerSpecFlag& flag : kRunnerSpecFlags) {
    if (name != flag.word) continue;
    if (equal != body.npos) refuse(word, "takes no value");
    flag.of(spec) = true;
    return;
  }
  if (equal == body.npos) refuse(word, "is not known, or lacks its value");
  if (name == "timeout") {
    spec.timeout = parse_seconds(word, value);
  } else if (name == "library") {
    spec.library = value;
  } else if (name == "model") {
    spec.model = value;
  } else if (name == "name") {
    spec.name = value;
  } else if (name == "input") {
    add_input(value, spec.session.inputs);
  } else {
    refuse(word, "is not known");
  }
}

void add_word(std::string_view word, std::string& text) {
  text += (text.empty() ? "" : " ") + shell_word(word);
}

// A path keeps a slash, which distinguishes it from the name of a back end.
std::string program_word(const std::string& program) {
  return program.find('/') == std::string::npos ? "./" + program : program;
}

void add_options(const BackendOptions& options, std::string& text) {
  for (const auto& [key, values] : options) {
    add_word(values.empty() ? key : key + "=" + values.front(), text);
    for (size_t i = 1; i < values.size(); ++i) add_word(key + "+=" + values[i], text);
  }
}

}  // namespace

std::string RunnerSpec::label() const {
  return backend.empty() ? program.substr(program.rfind('/') + 1) : backend;
}

std::string RunnerSpec::text() const {
  std::string text;
  add_word(backend.empty() ? program_word(program) : backend, text);
  add_options(session.options, text);
  if (!library.empty()) add_word("--library=" + library, text);
  if (!model.empty()) add_word("--model=" + model, text);
  for (const RunnerSpecFlag& flag : kRunnerSpecFlags) {
    if (flag.of(*this)) add_word("--" + std::string(flag.word), text);
  }
  if (timeout) add_word("--timeout=" + shortest_number(*timeout), text);
  for (const std::string& input : input_texts(session.inputs)) add_word("--input=" + input, text);
  if (!name.empty()) add_word("--name=" + name, text);
  return text;
}

Fingerprint RunnerSpec::digest() const {
  RunnerSpec nameless = *this;
  nameless.name.clear();
  return fingerprint(nameless.text());
}

bool operator==(const RunnerSpec& a, const RunnerSpec& b) {
  return a.text() == b.text() && !a.session.calibration == !b.session.calibration;
}

RunnerSpec parse_runner_spec(std::string_view text) {
  const std::vector<std::string> words = shell_words(text);
  if (words.empty())
    throw Error(kBadRunnerSpec, "A runner without a back end", std::string(kNotASpec));
  RunnerSpec spec;
  const std::string& first = words.front();
  if (first.starts_with("-") || first.find('=') != first.npos)
    refuse(first, "comes before the back end");
  (first.find('/') == std::string::npos ? spec.backend : spec.program) = first;
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i].starts_with("--")) {
      set_field(words[i], spec);
    } else {
      add_option(words[i], spec.session.options);
    }
  }
  return spec;
}

RunnerSpec bundled_runner_spec() {
  return {.backend = "onnxrt", .bundled = true, .session = bundled_options()};
}

}  // namespace polygraphy
