#include "cli/args/report.h"

#include "cli/syntax/arg_group.h"

#include <algorithm>

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--output-dir",
     .help = "Write all files of this run to this folder: log.txt, inputs.json, outputs.json, and "
             "a report as report.txt and report.json, with the tensors that differ, the layers "
             "that produce them and the elements that differ most.",
     .type = ValueType::kFolder,
     .files = FileUse::kWritten,
     .folder_files = "log.txt inputs.json outputs.json report.txt report.json",
     .metavar = "FOLDER",
     .origin = Origin::kOurs},
    {.spellings = "--json",
     .help =
         "Write what report.json of --output-dir has to this file: the verdict, and each tensor.",
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kOurs},
    {.spellings = "--compare-outputs",
     .help =
         "Fail if there is nothing to compare. Outputs of two or more runs are always compared.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
    {.spellings = "--save-intermediate-outputs",
     .help = "Also compare and save these tensors, or the outputs of these layers; wildcards may "
             "be used for tensors.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME",
     .origin = Origin::kOurs},
    {.spellings = "--save-all-intermediate-outputs",
     .help = "Compare and save all tensors of the model: --onnx-outputs mark all, and "
             "--save-outputs.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
    {.spellings = "--onnx-graphsurgeon",
     .help = "Load the model through the graph library first: nodes that no output needs are "
             "removed, the others are sorted.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
};

bool runs_anything(const ParsedArgs& args) {
  return std::any_of(args.occurrences().begin(), args.occurrences().end(),
                     [](const Occurrence& one) { return one.selects_runner(); });
}

}  // namespace

extern constinit const ArgGroup args_report = {
    .title = "Report", .summary = "Files about the run.", .options = kOptions};

std::string output_dir(const ParsedArgs& args, const Environment& env) {
  if (!args.syntax().find("--output-dir")) return {};
  return env.path(args.text("--output-dir").value_or(""));
}

std::string default_save_path(const ParsedArgs& args, const Environment& env,
                              const std::string& name) {
  const std::string folder = output_dir(args, env);
  return folder.empty() ? env.path(name) : folder + "/" + name;
}

void resolve_report(const ParsedArgs& args, const Environment& env, ModelSource& source,
                    CompareOptions& options) {
  source.also_outputs = args.list("--save-intermediate-outputs");
  if (args.has("--save-all-intermediate-outputs") && source.outputs.empty()) {
    source.outputs = {"mark", "all"};
  }
  source.tidy = args.has("--onnx-graphsurgeon");
  options.must_compare = args.has("--compare-outputs");
  if (!runs_anything(args)) return;
  const bool all = args.has("--output-dir");
  if (all && options.save_inputs.empty()) {
    options.save_inputs = default_save_path(args, env, "inputs.json");
  }
  if (options.save_outputs.empty() && (all || args.has("--save-intermediate-outputs") ||
                                       args.has("--save-all-intermediate-outputs"))) {
    options.save_outputs = default_save_path(args, env, "outputs.json");
  }
}

}  // namespace polygraphy::cli
