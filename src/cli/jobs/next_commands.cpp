#include "cli/jobs/next_commands.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/shell_words.h"
#include "base/text.h"

namespace polygraphy::cli {
namespace {

// Of the input data, which all of these commands take.
constexpr std::string_view kInputs[] = {"--load-inputs", "--input-file", "--data-loader-script",
                                        "--data-loader", "--seed",       "--val-range",
                                        "--iterations",  "--samples",    "--external-data-dir"};

constexpr std::string_view kSaved = "--load-outputs";

// Options of verdicts about which noise and nodes say nothing.
constexpr std::string_view kOtherVerdicts[] = {"--metric",
                                               "--decode",
                                               "--prompt",
                                               "--prompts",
                                               "--compare-func-script",
                                               "--validate",
                                               "--postprocess",
                                               "--postprocess-func-script"};

// The parts of a command line that others are made of, each word behind a blank.
struct Words {
  std::string model = {};     // the second runner's, with the first one's as the float model
  std::string runners = {};   // with the options of their back ends, and saved outputs
  std::string backends = {};  // their names
  std::string options = {};   // those of the back ends alone
  std::string inputs = {};
  std::string shapes = {};
  bool saved = false;  // the other side is that of --load-outputs
  bool two_models = false;
};

void add(const Occurrence& use, std::string& text) {
  text += " " + std::string(use.entry->key());
  for (const std::string& value : use.values) text += " " + shell_word(value);
}

// nullopt: it is not about an ONNX model and two sides.
std::optional<Words> words_of(const ParsedArgs& args) {
  const auto model = args.text("model_file");
  if (!model || !to_lower(*model).ends_with(".onnx")) return std::nullopt;
  Words words;
  std::vector<std::string_view> models;  // of the runners
  for (const Occurrence& use : args.occurrences()) {
    if (use.selects_runner()) {
      if (!use.entry->runner) return std::nullopt;
      models.push_back(use.values.empty() ? *model : std::string_view(use.values.back()));
      words.runners += " " + std::string(use.entry->key());
      words.backends += " " + std::string(use.entry->runner->name);
    } else if (use.entry->key() == kSaved) {
      add(use, words.runners);
      words.saved = true;
    } else if (args.syntax().section_of(*use.entry).backend) {
      add(use, words.runners);
      add(use, words.options);
    } else if (std::ranges::find(kInputs, use.entry->key()) != std::end(kInputs)) {
      add(use, words.inputs);
    }
  }
  if (models.size() != (words.saved ? 1 : 2)) return std::nullopt;
  words.model = " " + shell_word(models.back());
  words.two_models = models.front() != models.back();
  if (words.two_models) words.model += " --float-model " + shell_word(models.front());
  for (const std::string& shape : args.list("--input-shapes"))
    words.shapes += " " + shell_word(shape);
  return words;
}

// After `run`.
std::string locate_command(const Words& words) {
  return "polygraphy debug locate" + words.model + words.runners + words.inputs +
         (words.shapes.empty() ? "" : " --input-shapes" + words.shapes);
}

// Of a language model's prompts, which `debug locate` runs as a step without a cache.
constexpr std::string_view kPrompts[] = {"--prompt", "--prompts", "--tokenizer", "--decoder-names"};

}  // namespace

std::string locate_command(const ParsedArgs& args) {
  std::string command = "polygraphy debug locate " + shell_word(*args.text("model_file")) +
                        " --float-model " + shell_word(*args.text("--float-model"));
  bool runs = false;
  std::string more;
  for (const Occurrence& use : args.occurrences()) {
    const std::string_view key = use.entry->key();
    const bool selects = use.selects_runner();
    runs = runs || selects;
    if (selects || args.syntax().section_of(*use.entry).backend ||
        std::ranges::find(kInputs, key) != std::end(kInputs) || key == "--input-shapes" ||
        std::ranges::find(kPrompts, key) != std::end(kPrompts))
      add(use, more);
  }
  if (!runs) command += " --onnxrt";
  if (args.has("--prompt") || args.has("--prompts")) command += " --decode-step 0";
  return command + more;
}

std::string reduce_command(const ParsedArgs& args, std::string_view more) {
  const auto words = words_of(args);
  if (!words || words->saved || words->two_models) return {};
  return "polygraphy debug reduce" + words->model + " --mode auto -o reduced.onnx" + words->inputs +
         (words->shapes.empty() ? "" : " --model-input-shapes" + words->shapes) +
         std::string(more) + " --check-run" + words->backends + words->options;
}

std::string next_step(const ParsedArgs& args) {
  const auto words = words_of(args);
  if (!words || std::ranges::any_of(kOtherVerdicts, [&](auto key) { return args.has(key); }))
    return {};
  const bool by_tolerances = !args.has("--noise-floor") && !args.has("--compare");
  return (by_tolerances ? "Is it rounding? Add --noise-floor. " : "") +
         ("Which node? " + locate_command(*words));
}

void add_commands(const ParsedArgs& args, ReportPage& page) {
  const auto words = words_of(args);
  if (!words) return;
  ReportCommands commands{
      "Next commands",
      {{"Find the guilty nodes", locate_command(*words) + " --report locate.html"}}};
  if (std::string reduce = reduce_command(args); !reduce.empty())
    commands.commands.emplace_back("Reduce to the failing part", std::move(reduce));
  page.sections.emplace_back(std::move(commands));
}

}  // namespace polygraphy::cli
