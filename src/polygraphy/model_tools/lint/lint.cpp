#include "polygraphy/model_tools/lint/lint.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/mapped_file.h"
#include "base/text.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/onnx/schema.h"
#include "polygraphy/data/inputs/adapt_feed.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/model_tools/lint/lint_backend.h"
#include "polygraphy/model_tools/lint/node_runs.h"
#include "polygraphy/model_tools/lint/rule.h"
#include "polygraphy/models/loaders/model_folder.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::TensorRef;
using log_modules::kLint;

// Of ONNX, or of its operators.
bool has_unknown_version(const Model& model) {
  if (model.ir_version > graphsurgeon::latest_ir_version()) return true;
  return std::any_of(model.opset_imports.begin(), model.opset_imports.end(),
                     [](const graphsurgeon::OpsetImport& import) {
                       return import.version > graphsurgeon::latest_opset(
                                                   graphsurgeon::normalized_domain(import.domain))
                                                   .value_or(import.version);
                     });
}

class ModelLinter {
 public:
  ModelLinter(const Model& model, const LintOptions& options, FeedSource& feeds, Logger& log)
      : model_(model),
        names_(name_nodes(*model.graph)),
        options_(options),
        rules_(selected_rules(options)),
        backend_(options.runner, options.tools, log),
        feeds_(feeds),
        log_(log) {}

  LintResult run() {
    result_.nodes = static_cast<int64_t>(names_.size());
    for (size_t i = 0; i < names_.size(); ++i) {
      if (!model_.graph->nodes()[i]->name().empty()) continue;
      log_.verbose(kLint, "Node with topological id: " + std::to_string(i) +
                              " has empty name. Renaming to: " + names_[i]);
    }
    apply_rules([](int order) { return order < kRuns; });
    log_.verbose(kLint, std::string("ONNX Checker passed: ") + (checked_ ? "True" : "False"));
    const bool runs = std::any_of(rules_.begin(), rules_.end(),
                                  [](const LintRule* rule) { return rule->order == kRuns; });
    const bool whole = runs && run_model();
    apply_rules([](int order) { return order > kRuns; });
    if (whole) {
      std::vector<std::string> passing;
      for (const size_t i : needed_nodes(model_)) passing.push_back(names_[i]);
      result_.report.set_passing(std::move(passing));
    }
    result_.passed = whole || result_.report.valid();
    return std::move(result_);
  }

 private:
  template <typename Wanted>
  void apply_rules(Wanted wanted) {
    for (const LintRule* rule : rules_) {
      if (!wanted(rule->order) || !rule->check) continue;
      std::vector<Finding> findings;
      rule->check({model_, names_}, findings);
      for (Finding& finding : findings) {
        finding.rule = rule->name;
        if (finding.source == LintSource::kOnnxChecker) {
          checked_ = false;
          // Nodes are run one by one then: the back end says more of them.
          if (finding.message.find("Bad node spec for node") != std::string::npos) {
            complaint_ = std::move(finding);
            continue;
          }
        }
        result_.report.add(std::move(finding), log_, rule->original);
      }
    }
  }

  bool is_as_in_its_file() const {
    std::error_code failed;
    return model_.untouched() && std::filesystem::is_regular_file(model_.path, failed);
  }

  // The model as a file for a separate process: the original if it is complete.
  std::string path_apart(std::optional<ModelFolder>& made) const {
    if (!is_as_in_its_file()) {
      made.emplace(model_);
      return made->model_path();
    }
    const std::filesystem::path folder = std::filesystem::path(model_.path).parent_path();
    const std::vector<DataFile> data = external_data_files(model_);
    const bool lies_there = std::all_of(data.begin(), data.end(), [&](const DataFile& file) {
      std::error_code failed;
      return std::filesystem::equivalent(file.folder, folder.empty() ? "." : folder, failed);
    });
    if (lies_there) return model_.path;
    const auto file = MappedFile::open(model_.path);
    made.emplace(
        std::string_view(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()),
        data);
    return made->model_path();
  }

  const ValueMap& feed_for(const Metadata& inputs) {
    if (feed_) return *feed_;
    const std::optional<ValueMap> given = feeds_.next(inputs);
    if (!given) throw Error("no input data to run the model on");
    return feed_.emplace(adapt_feed(*given, inputs, log_));
  }

  // Runs the model in a separate process, if possible; the result is in refusal_, crashed_ and the
  // report.
  bool run_apart() {
    std::optional<ModelFolder> made;
    std::string path;
    try {
      path = path_apart(made);
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {  // the runtime's message names the missing part
      log_.verbose(kLint, std::string("Not running in a separate process: ") + error.what());
      return false;
    }
    try {
      backend_.run_apart(
          path, [&](const Metadata& inputs) -> const ValueMap& { return feed_for(inputs); });
    } catch (const LintBackend::Crash& crash) {
      crash_ = crash.what();
    } catch (const LintBackend::TimeUp& error) {
      refusal_ = error.what();
      slow_ = true;
    } catch (const LintBackend::Refusal& error) {
      refusal_ = error.what();
    }
    return true;
  }

  void run_here() {
    try {
      const auto session = backend_.load(model_);
      const ValueMap& feed = feed_for(metadata_of(session->inputs()));
      static_cast<void>(backend_.run(*session, feed));
    } catch (const LintBackend::Refusal& error) {
      refusal_ = error.what();
    }
  }

  void report_warnings() {
    for (const std::string& warning : backend_.take_warnings()) {
      Finding finding;
      finding.source = LintSource::kOnnxruntime;
      finding.message = warning;
      finding.rule = "runs";
      result_.report.add(std::move(finding), log_);
    }
  }

  // Values that are too long, a body that returns a tensor of the graph around it.
  void report_what_nodes_do_not_explain() {
    if (complaint_) {
      result_.report.add(std::move(*complaint_), log_);
    } else if (const auto& failure = crash_ ? crash_ : refusal_) {
      Finding finding;
      // Nodes that all run in time make a model that is large, not a wrong one.
      finding.level = slow_ ? LintLevel::kWarning : LintLevel::kException;
      finding.source = LintSource::kOnnxruntime;
      finding.message = *failure;
      finding.rule = "runs";
      result_.report.add(std::move(finding), log_);
    }
  }

  // A node that is alone would only take the same time again. False: there are several.
  bool blame_only_node() {
    const auto& nodes = model_.graph->nodes();
    const auto runs = [](const graphsurgeon::NodeRef& node) { return node->op() != "Constant"; };
    if (std::ranges::count_if(nodes, runs) != 1) return false;
    const auto only = std::ranges::find_if(nodes, runs);
    result_.report.add(
        refusal_of(**only, names_[static_cast<size_t>(only - nodes.begin())], *refusal_), log_);
    return true;
  }

  // True: the model ran as a whole.
  bool run_model() {
    if (checked_) {
      if (options_.tools.program.empty() || !run_apart()) run_here();
      if (!refusal_ && !crash_) {
        report_warnings();
        return true;
      }
    } else if (has_unknown_version(model_)) {
      return false;  // the runtime would run the nodes of another version
    }
    static_cast<void>(backend_.take_warnings());
    if (refusal_) log_.verbose(kLint, "ORT inference check failed with error: '" + *refusal_ + "'");
    if (slow_ && blame_only_node()) return false;
    const ValueMap& feed = feed_for(metadata_of_variables(model_.graph->inputs()));
    const size_t findings = result_.report.findings().size();
    const size_t crashes = run_nodes(model_, names_, feed, backend_, result_.report, log_);
    result_.crashed_only_whole = crash_ && crashes == 0;
    // A finding of before may explain the refusal, too: two nodes of one name.
    const bool explained = !result_.report.valid() || result_.report.findings().size() > findings;
    if (!explained || result_.crashed_only_whole) report_what_nodes_do_not_explain();
    return false;
  }

  const Model& model_;
  const std::vector<std::string> names_;
  const LintOptions& options_;
  const std::vector<const LintRule*> rules_;
  LintBackend backend_;
  FeedSource& feeds_;
  Logger& log_;
  LintResult result_;
  std::optional<ValueMap> feed_;
  std::optional<Finding> complaint_;    // of the onnx checker about a node, kept back
  std::optional<std::string> refusal_;  // of the runtime, for the model as a whole
  std::optional<std::string> crash_;    // of the process that ran it
  bool slow_ = false;                   // refusal_ is that it exceeded the timeout
  bool checked_ = true;                 // the onnx checker has no complaint, or did not run
};

LintResult not_loaded(std::string message, Logger& log) {
  LintResult result;
  Finding finding;
  finding.level = LintLevel::kException;
  finding.source = LintSource::kOnnxLoader;
  finding.message = std::move(message);
  finding.rule = "loads";
  result.report.add(std::move(finding), log);
  return result;
}

}  // namespace

std::vector<std::string_view> applied_rules(const LintOptions& options) {
  std::vector<std::string_view> names;
  for (const LintRule* rule : selected_rules(options)) names.push_back(rule->name);
  return names;
}

Verdict LintResult::verdict() const {
  const std::vector<std::string>& failing = report.failing();
  Verdict verdict{.unit = "node",
                  .comparison = false,
                  .total = nodes,
                  .compared = static_cast<int64_t>(report.passing().size() + failing.size()),
                  .off = static_cast<int64_t>(failing.size())};
  if (nodes == 0 && !report.findings().empty()) verdict.reason = report.findings().front().message;
  if (passed) {
    verdict.agreement = nodes > 0 ? Agreement::kAgrees : Agreement::kNotCompared;
  } else if (!failing.empty()) {
    verdict.agreement = Agreement::kDiffers;
    verdict.worst = failing.front();
  } else {
    verdict.agreement = Agreement::kFailed;
    for (const Finding& finding : report.findings()) {
      if (finding.level == LintLevel::kException) verdict.reason = finding.message;
    }
  }
  return verdict;
}

LintResult lint(const std::string& path, const std::function<Model()>& load,
                const LintOptions& options, FeedSource& feeds, Logger& log) {
  std::error_code failed;
  if (std::filesystem::is_regular_file(path, failed) &&
      std::filesystem::file_size(path, failed) == 0) {
    return not_loaded("Empty ONNX model given", log);
  }
  std::optional<Model> model;
  try {
    model.emplace(load());
  } catch (const FormatError& error) {
    const std::string message =
        std::string("Error parsing message with type 'onnx.ModelProto': ") + error.what();
    LintResult result = not_loaded(message, log);
    log.error(kLint, "Invalid ONNX model given: " + message);
    return result;
  }
  if (model->graph->nodes().empty()) {
    LintResult result;
    Finding finding;
    finding.source = LintSource::kOnnxLoader;
    finding.message = "ONNX model has no nodes";
    finding.rule = "loads";
    result.report.add(std::move(finding), log);
    result.passed = true;
    return result;
  }
  log.verbose(kLint, "ONNX Model loaded into linter successfully.");
  return ModelLinter(*model, options, feeds, log).run();
}

}  // namespace polygraphy
