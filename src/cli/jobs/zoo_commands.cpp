#include "cli/jobs/zoo_commands.h"

#include <algorithm>
#include <filesystem>

#include "base/shell_words.h"
#include "polygraphy/diagnosis/zoo/zoo_models.h"

namespace polygraphy::cli {
namespace {

void add(const Occurrence& use, std::string& text) {
  text += " " + std::string(use.entry->key());
  for (const std::string& value : use.values) text += " " + shell_word(value);
}

}  // namespace

ZooCommands::ZooCommands(const ParsedArgs& args, std::vector<std::string> engines) {
  for (const Occurrence& use : args.occurrences()) {
    if (!use.selects_runner() || engines_.size() == engines.size()) continue;
    Engine& engine = engines_.emplace_back(Engine{.label = engines[engines_.size()]});
    if (use.entry->runner) engine.name = use.entry->runner->name;
    add(use, engine.flag);
  }
  for (const Occurrence& use : args.occurrences()) {
    const pgb_backend_options* backend = args.syntax().sections()[use.entry->section].backend;
    if (use.selects_runner() || !backend) continue;
    for (Engine& engine : engines_) {
      if (engine.name == backend->name) add(use, engine.options);
    }
  }
  if (const auto seed = args.integer("--seed")) seed_ = " --seed " + std::to_string(*seed);
}

const ZooCommands::Engine* ZooCommands::find(const std::string& label) const {
  const auto found = std::ranges::find(engines_, label, &Engine::label);
  return found == engines_.end() ? nullptr : &*found;
}

std::vector<std::pair<std::string, std::string>> ZooCommands::of(
    const ZooModelResult& model) const {
  const std::string path = " " + shell_word(model.model);
  if (!model.problem.empty()) return {{"Inspect the model", "polygraphy inspect model" + path}};
  const auto saved = std::filesystem::path(model.model).parent_path() / kInputsFolder;
  std::error_code ignored;
  const std::string inputs = std::filesystem::is_directory(saved, ignored)
                                 ? " --load-inputs " + shell_word(saved.native())
                                 : " --data-loader valid" + seed_;
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
                                  engine->name + engine->options + inputs + " -o reduced.onnx");
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
