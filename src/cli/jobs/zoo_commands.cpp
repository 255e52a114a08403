#include "cli/jobs/zoo_commands.h"

#include <algorithm>
#include <filesystem>

#include "base/shell_words.h"
#include "polygraphy/diagnosis/zoo/zoo_models.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

void add(const Occurrence& use, std::string& text) {
  text += " " + std::string(use.entry->key());
  for (const std::string& value : use.values) text += " " + shell_word(value);
}

// Empty: the back end has none.
std::string threads_option(const ParsedArgs& args, std::string_view backend) {
  for (const Syntax::Entry& entry : args.syntax().entries()) {
    const pgb_backend_options* table = args.syntax().section_of(entry).backend;
    if (entry.backend && table && table->name == backend &&
        entry.backend->key == switches_of(*table).threads)
      return std::string(entry.key());
  }
  return {};
}

}  // namespace

ZooCommands::ZooCommands(const ParsedArgs& args, std::vector<std::string> engines,
                         int64_t threads) {
  for (const Occurrence& use : args.occurrences()) {
    if (!use.selects_runner() || engines_.size() == engines.size()) continue;
    Engine& engine = engines_.emplace_back(Engine{.label = engines[engines_.size()]});
    if (use.entry->runner) engine.name = use.entry->runner->name;
    add(use, engine.flag);
  }
  for (const Occurrence& use : args.occurrences()) {
    const pgb_backend_options* backend = args.syntax().section_of(*use.entry).backend;
    if (use.selects_runner() || !backend) continue;
    for (Engine& engine : engines_) {
      if (engine.name == backend->name) add(use, engine.options);
    }
  }
  for (Engine& engine : engines_) {
    const std::string option = threads_option(args, engine.name);
    if (!option.empty() && !args.has(option))
      engine.options += " " + option + " " + std::to_string(threads);
  }
  if (!args.has("--data-loader")) generated_ = " --data-loader valid";
  for (const Occurrence& use : args.occurrences()) {
    const std::string_view key = use.entry->key();
    if (key == "--data-loader" || key == "--seed" || key == "--val-range") add(use, generated_);
  }
}

std::string ZooCommands::inputs_of(const ZooModelResult& model, const std::string& shapes) const {
  const auto saved = std::filesystem::path(model.model).parent_path() / kInputsFolder;
  std::error_code ignored;
  if (std::filesystem::is_directory(saved, ignored))
    return " --load-inputs " + shell_word(saved.native());
  std::string text = generated_;
  if (!model.inputs.empty()) text += " " + shapes;
  for (const std::string& shape : model.inputs) text += " " + shell_word(shape);
  return text;
}

const ZooCommands::Engine* ZooCommands::find(const std::string& label) const {
  const auto found = std::ranges::find(engines_, label, &Engine::label);
  return found == engines_.end() ? nullptr : &*found;
}

std::vector<std::pair<std::string, std::string>> ZooCommands::of(
    const ZooModelResult& model) const {
  const std::string path = " " + shell_word(model.model);
  if (!model.problem.empty()) return {{"Inspect the model", "polygraphy inspect model" + path}};
  const std::string inputs = inputs_of(model, "--input-shapes");
  const Engine* reference = find(model.reference);
  std::vector<std::pair<std::string, std::string>> commands;
  for (const ZooEngineResult& result : model.engines) {
    const Engine* engine = find(result.engine);
    if (!engine || passed(result.outcome)) continue;
    if (result.stage != ZooStage::kCompare || !reference) {
      commands.emplace_back("Run it on " + result.engine,
                            "polygraphy run" + path + engine->flag + engine->options + inputs);
      if (result.outcome == ZooOutcome::kCrashed && !engine->name.empty()) {
        commands.emplace_back("Reduce it to the nodes that crash " + result.engine,
                              "polygraphy debug reduce" + path + " --mode auto --check-crash " +
                                  engine->name + engine->options +
                                  inputs_of(model, "--model-input-shapes") + " -o reduced.onnx");
      }
      continue;
    }
    const std::string both =
        reference->flag + reference->options + engine->flag + engine->options + inputs;
    commands.emplace_back("Compare " + result.engine + " with " + model.reference,
                          "polygraphy run" + path + both + " --noise-floor");
    commands.emplace_back("Find the guilty nodes on " + result.engine,
                          "polygraphy debug locate" + path + both + " --report locate.html");
  }
  if (!commands.empty()) return commands;
  std::string all;
  for (const Engine& engine : engines_) all += engine.flag + engine.options;
  return {{"Run and compare it",
           "polygraphy run" + path + all + inputs + (engines_.size() > 1 ? " --noise-floor" : "")}};
}

}  // namespace polygraphy::cli
