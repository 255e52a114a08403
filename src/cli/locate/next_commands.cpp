#include "cli/locate/next_commands.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/shell_words.h"
#include "base/text.h"

namespace polygraphy::cli {
namespace {

// Of the input data, which all three commands take.
constexpr std::string_view kInputs[] = {"--load-inputs", "--seed", "--val-range",
                                        "--data-loader-script"};

void add(const Occurrence& use, std::string& text) {
  text += " " + std::string(use.entry->key());
  for (const std::string& value : use.values) text += " " + shell_word(value);
}

}  // namespace

void add_commands(const ParsedArgs& args, ReportPage& page) {
  const auto model = args.text("model_file");
  if (!model || !to_lower(*model).ends_with(".onnx")) return;
  std::string runners, backends, options, inputs;
  int count = 0;
  for (const Occurrence& use : args.occurrences()) {
    if (use.selects_runner()) {
      if (!use.entry->runner) return;
      ++count;
      add(use, runners);
      backends += " " + std::string(use.entry->runner->name);
    } else if (args.syntax().sections()[use.entry->section].backend) {
      add(use, runners);
      add(use, options);
    } else if (std::ranges::find(kInputs, use.entry->key()) != std::end(kInputs)) {
      add(use, inputs);
    }
  }
  if (count != 2) return;
  std::string shapes;
  for (const std::string& shape : args.list("--input-shapes")) shapes += " " + shell_word(shape);
  const std::string file = shell_word(*model);
  page.sections.emplace_back(ReportCommands{
      "Commands to go on with",
      {{"Which node is guilty", "polygraphy debug locate " + file + runners + inputs +
                                    (shapes.empty() ? "" : " --input-shapes" + shapes)},
       {"The part that still fails",
        "polygraphy debug reduce " + file + " --mode auto -o reduced.onnx --check-run" + backends +
            options + inputs + (shapes.empty() ? "" : " --model-input-shapes" + shapes)}}});
}

}  // namespace polygraphy::cli
