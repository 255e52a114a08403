#include "cli/jobs/locate_next_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "base/shell_words.h"
#include "cli/jobs/next_commands.h"

namespace polygraphy::cli {
namespace {

struct Borders {
  std::vector<std::string> reads, makes;
};

// Of a node, and of those that ran with it.
Borders borders_of(const NodeFinding& finding, const LocateResult& result) {
  const std::string& last = finding.ran_with.empty() ? finding.node : finding.ran_with;
  Borders borders;
  std::unordered_set<std::string_view> inside;
  for (const NodeFinding& one : result.in_order) {  // `last` comes behind the others
    if (one.node != last && one.ran_with != last) continue;
    for (const std::string& name : one.reads) {
      if (!inside.contains(name) && std::ranges::find(borders.reads, name) == borders.reads.end())
        borders.reads.push_back(name);
    }
    inside.insert(one.makes.begin(), one.makes.end());
    if (one.node == last) borders.makes = one.makes;
  }
  return borders;
}

// The command that extracts the first guilty node from the model; empty: the file has no such
// node.
std::string extract_command(const LocateResult& result, const CommandSetup& setup,
                            const ParsedArgs& args) {
  if (result.inlined || setup.converted || !result.varies.empty()) return {};
  for (const NodeFinding& finding : result.nodes) {
    if (!is_guilty(finding.verdict) && finding.verdict != NodeVerdict::kOverflows) break;
    if (!finding.graph.empty() || finding.makes.empty()) continue;
    const auto [reads, makes] = borders_of(finding, result);
    std::string command = "polygraphy surgeon extract " + shell_word(*args.text("model_file"));
    if (!reads.empty()) command += " --inputs";
    for (const std::string& name : reads) command += " " + shell_word(name + ":auto:auto");
    command += " --outputs";
    for (const std::string& name : makes) command += " " + shell_word(name + ":auto");
    return command + " -o guilty.onnx";
  }
  return {};
}

// The command that reduces the model to the first guilty node; empty: no node is guilty, or a
// side has saved results only.
std::string reduction_command(const LocateResult& result, const CommandSetup& setup,
                              const ParsedArgs& args) {
  const NodeFinding* guilty = result.guilty();
  const bool of_one_model = !args.has("--float-model");
  if (!guilty || setup.converted || !result.varies.empty() || !of_one_model) return {};
  const std::string node =
      guilty->graph.empty() ? guilty->node : guilty->graph + "/" + guilty->node;
  std::string more = " --start-at " + shell_word(node);
  // Between its noise and its error.
  if (guilty->verdict == NodeVerdict::kGuilty && guilty->isolated)
    more += fmt::format(" --atol {:.2g} --rtol 0", guilty->isolated->error.largest / 2);
  return reduce_command(args, more);
}

// Options with which the target's engine keeps these nodes in float32; empty: it has none.
std::string options_of_engine(const std::vector<std::string>& nodes, const ParsedArgs& args,
                              const std::string& target) {
  if (nodes.empty()) return {};
  const auto& syntax = args.syntax();
  const bool takes = std::any_of(
      syntax.entries().begin(), syntax.entries().end(), [&](const Syntax::Entry& entry) {
        const pgb_backend_options* backend = syntax.section_of(entry).backend;
        return entry.backend && backend && backend->name == target &&
               std::string_view(entry.backend->key) == "layer_precisions";
      });
  if (!takes) return {};
  std::string options = "--precision-constraints obey --layer-precisions";
  for (const std::string& node : nodes) options += " " + shell_word(node + ":float32");
  return options;
}

}  // namespace

std::vector<NextStep> next_steps(const LocateResult& result, const CommandSetup& setup,
                                 const ParsedArgs& args, const std::string& target) {
  std::vector<NextStep> steps = {
      {"To extract the first guilty node", "Extract the first guilty node",
       extract_command(result, setup, args)},
      {"To reduce the model to this node", "Reduce the model to this node",
       reduction_command(result, setup, args)}};
  if (result.remedy && result.remedy->agrees) {
    steps.push_back({"Options for the target's engine", "Options for the target's engine",
                     options_of_engine(result.remedy->nodes, args, target)});
  }
  std::erase_if(steps, [](const NextStep& step) { return step.command.empty(); });
  return steps;
}

}  // namespace polygraphy::cli
