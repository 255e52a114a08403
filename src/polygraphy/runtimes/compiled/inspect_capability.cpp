#include "polygraphy/runtimes/compiled/inspect_capability.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/ordered_map.h"
#include "base/os/atomic_file.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/passes/extract.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/loaders/model_folder.h"
#include "polygraphy/models/loaders/prepare_model.h"
#include "polygraphy/runtimes/compiled/capability_json.h"
#include "polygraphy/runtimes/compiled/capability_table.h"
#include "polygraphy/runtimes/compiled/capability_text.h"
#include "polygraphy/runtimes/compiled/engine_worker.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// Nodes from `begin` up to, and without, `end`.
struct Range {
  size_t begin, end;
};

// Ranges by operator and reason; in the order in which they are met.
class RefusedRanges {
 public:
  void add(const std::string& op, const std::string& reason, Range range) {
    by_operator_[op][reason].push_back(range);
  }

  std::string table() const {
    size_t op_width = std::strlen("Operator "), reason_width = 0;
    for (const auto& [op, reasons] : by_operator_) {
      op_width = std::max(op_width, op.size());
      for (const auto& each : reasons) reason_width = std::max(reason_width, each.first.size());
    }
    std::string text = summary_header(left_justified("Operator", op_width) + "| Count   | " +
                                      left_justified("Reason", reason_width) + " | Nodes");
    for (const auto& [op, reasons] : by_operator_) {
      for (const auto& [reason, ranges] : reasons) {
        std::string list;
        for (const Range& range : ranges) {
          list += (list.empty() ? "" : ", ") + ("[" + std::to_string(range.begin)) + ", " +
                  std::to_string(range.end) + "]";
        }
        std::string count = std::to_string(ranges.size());
        count.insert(0, count.size() < 7 ? 7 - count.size() : 0, ' ');
        text += left_justified(op, op_width) + "| " + count + " | " +
                left_justified(reason, reason_width) + " | [" + list + "]\n";
      }
    }
    return text;
  }

 private:
  OrderedMap<OrderedMap<std::vector<Range>>> by_operator_;
};

// The nodes of a range as a model: other nodes produce its inputs and use its outputs.
Model model_of(const Model& whole, Range range) {
  Model model = graphsurgeon::copy(whole);
  const std::vector<NodeRef> members(model.graph->nodes().begin() + range.begin,
                                     model.graph->nodes().begin() + range.end);
  std::unordered_set<const Node*> inside;
  for (const NodeRef& node : members) inside.insert(node.get());
  std::unordered_set<const Tensor*> wanted;
  for (const TensorRef& output : model.graph->outputs()) wanted.insert(output.get());
  std::vector<TensorRef> inputs, outputs;
  std::unordered_set<const Tensor*> seen;
  const auto take = [&](Tensor* tensor) {
    if (!tensor || tensor->name().empty() || tensor->is_constant() || !seen.insert(tensor).second)
      return;
    if (!inside.contains(tensor->producer())) inputs.emplace_back(tensor);
  };
  graphsurgeon::Captures captures;
  for (const Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) captures.add(*graph);
  for (const NodeRef& node : members) {
    for (Tensor* tensor : node->inputs()) take(tensor);
    captures.for_each(*node, [&](Tensor& tensor) { take(&tensor); });
    for (Tensor* tensor : node->outputs()) {
      if (!tensor || tensor->name().empty()) continue;
      bool used_outside = wanted.contains(tensor) || tensor->consumers().empty();
      for (const Node* user : tensor->consumers()) used_outside |= !inside.contains(user);
      if (used_outside) {
        outputs.emplace_back(tensor);
      }
    }
  }
  graphsurgeon::extract(model, std::move(inputs), std::move(outputs));
  return model;
}

// Splits a model into supported and unsupported subgraphs.
class Partition {
 public:
  Partition(EngineWorker& worker, const InspectCapability& options, const Model& model, Logger& log)
      : worker_(worker), options_(options), model_(model), log_(log) {}

  // The supported parts, and the parts between them. Returns the table.
  std::string run(const std::vector<ModelPart>& parts) {
    add(parts, 0);
    std::sort(supported_.begin(), supported_.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
    size_t next = 0;
    for (const Range& range : supported_) {
      refuse({next, range.begin});
      save(model_of(model_, range), range, "supported");
      next = range.end;
    }
    refuse({next, model_.graph->nodes().size()});
    return refused_.table();
  }

 private:
  Capability ask(const Model& model) {
    const ModelFolder file(model);
    return read_capability(worker_.ask(Compilation::kCapability, {}, file.model_path()),
                           options_.job.runner.backend);
  }

  void add(const std::vector<ModelPart>& parts, size_t offset) {
    for (const ModelPart& part : parts) {
      if (part.nodes.empty()) continue;
      const Range range{static_cast<size_t>(part.nodes.front()) + offset,
                        static_cast<size_t>(part.nodes.back()) + offset + 1};
      const bool in_order = std::is_sorted(part.nodes.begin(), part.nodes.end()) &&
                            range.end - range.begin == part.nodes.size();
      if (!in_order || part.nodes.front() < 0 || range.end > model_.graph->nodes().size())
        throw Error(options_.job.runner.backend + " reports nodes " +
                    std::to_string(part.nodes.front()) + " to " +
                    std::to_string(part.nodes.back()) + " of a model of " +
                    std::to_string(model_.graph->nodes().size()));
      if (part.supported) {
        supported_.push_back(range);
        continue;
      }
      const Capability found = ask(model_of(model_, range));
      // A part that the library refuses as a whole, without a node to blame, would be queried for
      // ever.
      const bool same = found.parts.size() == 1 && !found.parts.front().supported &&
                        found.parts.front().nodes.size() == range.end - range.begin;
      if (!same) add(found.parts, range.begin);
    }
  }

  void refuse(Range range) {
    if (range.begin >= range.end) return;
    const Model part = model_of(model_, range);
    save(part, range, "unsupported");
    std::string reasons;
    for (const RefusedNode& each : ask(part).refused)
      reasons += (reasons.empty() ? "" : " | ") + each.reason;
    refused_.add(std::string(model_.graph->nodes()[range.begin]->op()),
                 reasons.empty() ? "UNKNOWN ERROR" : reasons, range);
  }

  void save(const Model& part, Range range, const std::string& kind) {
    const std::string name = kind + "_subgraph-nodes-" + std::to_string(range.begin) + "-" +
                             std::to_string(range.end - 1) + ".onnx";
    OnnxSaving saving = options_.saving;
    saving.typed = saving.path = options_.folder + "/" + name;
    std::optional<std::string>& data = saving.options.external_data;
    if (data && !data->empty()) data = name + "." + *data;
    save_onnx(part, saving, log_);
  }

  EngineWorker& worker_;
  const InspectCapability& options_;
  const Model& model_;
  Logger& log_;
  std::vector<Range> supported_;
  RefusedRanges refused_;
};

}  // namespace

void inspect_capability(const InspectCapability& options, Logger& log) {
  EngineWorker worker(options.job, log);
  const Capability found =
      read_capability(worker.ask(Compilation::kCapability), options.job.runner.backend);
  if (found.supported) {
    log.info(log_modules::kInspectCapability,
             std::string("Graph is fully supported by TensorRT; Will not ") +
                 (options.partition ? "generate subgraphs." : "report errors."));
    return;
  }
  const auto of_no_node = [](const RefusedNode& each) { return each.node < 0; };
  if (std::any_of(found.refused.begin(), found.refused.end(), of_no_node))
    check_model_file(options.job.model);
  std::error_code failed;
  std::filesystem::create_directories(options.folder, failed);
  std::string summary;
  if (options.partition) {
    // The ends of parts have types and shapes where they can be inferred: parsers want them.
    ModelSource source = options.job.model;
    source.shape_inference = true;
    const auto model = load_onnx(source, log);
    summary = Partition(worker, options, *model, log).run(found.parts);
  } else {
    summary = capability_text(found);
  }
  log.info(log_modules::kInspectCapability, summary);
  const std::string results = options.folder + "/results.txt";
  log.info(log_modules::kInspectCapability, "Saving results to " + results);
  write_file(results, summary);
}

}  // namespace polygraphy
