#include "polygraphy/diagnosis/reduce/reduce_job.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/clock.h"
#include "base/log_modules.h"
#include "base/os/writable.h"
#include "base/size_text.h"
#include "base/text.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/constant_inputs.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/passes/constant_nodes.h"
#include "polygraphy/model_tools/surgeon/fallback_shapes.h"
#include "polygraphy/model_tools/surgeon/surgery.h"
#include "polygraphy/models/candidates/model_size.h"
#include "polygraphy/models/loaders/fold_model.h"
#include "polygraphy/models/loaders/infer_model_shapes.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/loaders/override_shapes.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using log_modules::kReduce;

struct ReductionEffort {
  int64_t checks = 0, cached = 0;  // verdicts by a check, and by an equal candidate's
  double seconds = 0;
};

// Of a file that holds it all.
int64_t bytes_of(const Model& model) {
  constexpr int64_t kKept = 1024;
  auto bytes = static_cast<int64_t>(graphsurgeon::encode_without_payloads(model, kKept).size());
  graphsurgeon::for_each_payload(model, [&](const graphsurgeon::PayloadUse& use) {
    if (use.values->nbytes() > kKept) bytes += use.values->nbytes();
  });
  return bytes;
}

std::string input_count(const Model& model) {
  const size_t count = model.graph->inputs().size();
  return std::to_string(count) + (count == 1 ? " input" : " inputs");
}

// "'mul' (Mul), 'add' (Add)"; empty: there are too many to name, or there is no node.
std::string named_nodes(const graphsurgeon::Graph& graph) {
  constexpr size_t kMost = 3;
  std::string text;
  if (graph.nodes().size() > kMost) return text;
  for (const auto& node : graph.nodes()) {
    const auto& outputs = node->outputs();
    const std::string_view name =
        node->name().empty() && !outputs.empty() ? outputs.front()->name() : node->name();
    text +=
        (text.empty() ? "'" : ", '") + std::string(name) + "' (" + std::string(node->op()) + ")";
  }
  return text;
}

// "Reduced 415 nodes to 1, 2 inputs to 1, 97.85 MiB to 312 bytes in 14 checks (1 more was known)
// and 3.2 s". O(structure) of both.
std::string reduction_summary(const Model& before, const Model& after,
                              const ReductionEffort& effort) {
  std::string text = "Reduced " + std::to_string(model_size(before).nodes) + " nodes to " +
                     std::to_string(model_size(after).nodes) + ", " + input_count(before) + " to " +
                     std::to_string(after.graph->inputs().size()) + ", " +
                     size_text(bytes_of(before)) + " to " + size_text(bytes_of(after)) + " in " +
                     std::to_string(effort.checks) + (effort.checks == 1 ? " check" : " checks");
  if (effort.cached > 0) {
    text += " (" + std::to_string(effort.cached) + " more answered from known verdicts)";
  }
  text += " and " + format_g(effort.seconds, 3) + " s";
  const std::string left = named_nodes(*after.graph);
  return left.empty() ? text : text + ": " + left;
}

bool is_dynamic(const Tensor& tensor) {
  return tensor.type_kind() == graphsurgeon::TypeKind::kTensor && !tensor.is_constant() &&
         tensor.shape() && !is_static(*tensor.shape());
}

// Folding would remove a node that computes with shapes: none where they are open.
bool has_foldable_shapes(const Model& model) {
  const auto& nodes = model.graph->nodes();
  const auto asks = [](std::string_view op) { return op == "Shape" || op == "Size"; };
  if (std::none_of(nodes.begin(), nodes.end(),
                   [&](const NodeRef& node) { return asks(node->op()); })) {
    return false;
  }
  Logger quiet;
  Model trial = graphsurgeon::copy(model);
  const auto rewrites = fold_model(trial, {.max_passes = 1}, quiet);
  return std::any_of(rewrites.begin(), rewrites.end(), [&](const graphsurgeon::Rewrite& rewrite) {
    return asks(rewrite.op) || rewrite.rule.ends_with("-shape");
  });
}

void warn_of_shapes(const Model& model, Logger& log) {
  const auto& inputs = model.graph->inputs();
  if (std::any_of(inputs.begin(), inputs.end(),
                  [](const TensorRef& input) { return is_dynamic(*input); })) {
    log.warning(kReduce,
                "The model has dynamic input shapes, so the shapes of its inner tensors are "
                "unknown. Set the input shapes with --model-input-shapes, or freeze them with "
                "`polygraphy surgeon sanitize --override-input-shapes`.");
  }
  if (has_foldable_shapes(model)) {
    log.warning(kReduce,
                "The model computes with static shapes. Fold these nodes for a better reduction: "
                "`polygraphy surgeon sanitize --fold-constants`.");
  }
}

void make_work_dir(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError("Cannot create the folder " + folder + ": " + error.message());
}

// Saves candidates as `saving` says.
WriteModel candidate_writer(OnnxSaving saving, int jobs) {
  saving.options.durability = Durability::kNone;
  // Each of several candidates has separate data.
  if (jobs > 1 && saving.options.external_data) saving.options.external_data = "";
  return [saving](const Model& candidate, const std::string& path, Logger& log) {
    OnnxSaving own = saving;
    own.typed = own.path = path;
    save_onnx(candidate, own, log);
  };
}

ReduceOptions complete(const ReduceJob& job) {
  ReduceOptions options = job.options;
  options.want_good = !job.good.path.empty();
  if (options.loop.artifact.empty()) {
    options.loop.artifact = (fs::path(job.work_dir) / kCandidateFile).string();
  }
  options.jobs = checks_at_a_time(options.jobs, options.loop);
  if (!job.weightless_candidates) {
    options.write = candidate_writer(job.output, options.jobs);
  } else if (!job.work_dir.empty()) {
    options.shared_folder = job.work_dir;
  }
  return options;
}

void save_found(const ReduceJob& job, const ReduceResult& found, const Model& original,
                Logger& log) {
  const auto left = found.bad->graph->nodes().size(), all = original.graph->nodes().size();
  if (found.interrupted) {
    log.warning(kReduce, "Interrupted: this is the smallest failing model so far.");
  } else if (job.options.mode == ReduceMode::kBisect && left > 1 && left * 4 >= all) {
    log.warning(kReduce,
                "It looks like this model could potentially be reduced further." +
                    (job.output.shown().empty() ? std::string()
                                                : "\nYou may want to reduce " + job.output.shown() +
                                                      " again using --mode=linear."));
  }
  show_model(*found.bad, "Minimum Bad Model", log);
  if (!job.output.path.empty()) save_onnx(*found.bad, job.output, log);
  if (job.good.path.empty()) return;
  if (!found.good) {
    log.warning(kReduce,
                "Could not find a minimal model close in size to the reduced model that does not "
                "cause a failure.");
    return;
  }
  show_model(*found.good, "Minimum Good Model", log);
  save_onnx(*found.good, job.good, log);
}

// Where the failure is reproduced; without a folder: not at all.
Reproduction reproduction_of(const ReduceJob& job) {
  if (!job.reproduction) return {};
  Reproduction reproduction = *job.reproduction;
  if (reproduction.folder.empty() && job.options.mode == ReduceMode::kAuto &&
      !job.output.path.empty()) {
    reproduction.folder = reproduction_folder(job.output.path);
    reproduction.typed = reproduction_folder(job.output.shown());
  }
  return reproduction;
}

// Does not overwrite files of the same names that another program made, nor what links lead to
// that the user has not named.
void check_reproduction_folder(const ReduceJob& job) {
  const Reproduction reproduction = reproduction_of(job);
  if (reproduction.folder.empty()) return;
  const fs::path folder = reproduction.folder;
  if (job.reproduction->folder.empty()) refuse_link(reproduction.folder);
  for (const std::string_view name : split(kReproductionFiles, ' ')) refuse_link(folder / name);
  if (is_reproduction(reproduction.folder)) return;
  std::error_code failed;
  for (const std::string_view name : split(kReproductionFiles, ' ')) {
    if (!fs::exists(folder / name, failed)) continue;
    throw Error(kReproductionInTheWay,
                "The folder " + reproduction.typed + " has a file " + std::string(name) +
                    ", which does not belong to a reproduction",
                "Give a reproduction a separate folder.");
  }
}

void reproduce(const ReduceJob& job, const ReduceResult& found, std::string summary, Logger& log) {
  Reproduction reproduction = reproduction_of(job);
  if (reproduction.folder.empty()) return;
  reproduction.failure = found.failure;
  reproduction.summary = std::move(summary);
  reproduction.inputs = found.inputs;
  reproduction.tools = job.options.tools;
  const auto write = [&](const std::string& path) {
    graphsurgeon::save_model(*found.bad, path, {.durability = Durability::kNone});
  };
  write_reproduction(reproduction, *found.bad, write, log);
}

void set_input_shapes(const ReduceJob& job, Model& model, Logger& log) {
  std::optional<Model> before;
  if (job.options.mode == ReduceMode::kAuto) before = graphsurgeon::copy(model);
  override_shapes(model, job.shapes, log);
  if (infer_model_shapes(model, log) || !before) return;
  // A runtime would refuse the model, and the reduction would keep that failure.
  log.warning(kReduce,
              "The model does not fit these input shapes in all of its branches: only the input "
              "data have them");
  model = std::move(*before);
}

}  // namespace

std::string reproduction_folder(const std::string& output) {
  const fs::path path(output);
  return (path.parent_path() / (path.stem().string() + "_reproduction")).string();
}

std::unique_ptr<Model> load_for_reduction(const ReduceJob& job, Logger& log) {
  auto model = load_onnx(job.model, log);
  if (!job.model.ignore_external_data) graphsurgeon::check_external_data(*model);
  if (!job.shapes.empty()) set_input_shapes(job, *model, log);
  graphsurgeon::take_constants_from_inputs(*model);  // candidates have further ones
  graphsurgeon::constant_nodes_to_initializers(*model);
  if (job.observe_shapes) {
    log.info(kReduce,
             "Freezing shapes in the model according to values determined by fallback shape "
             "inference");
    const ObservedRun run{
        .plugins = job.options.tools.paths,
        .feeds = [&](const Model&, Logger& to) { return feeds_of(job.options, to); }};
    apply_shapes(*model, observe_shapes(run, *model, observable_tensors(*model), log));
  }
  warn_of_shapes(*model, log);
  return model;
}

ReduceResult reduce(const ReduceJob& job, Logger& log) {
  const ReduceOptions options = complete(job);
  check_reproduction_folder(job);
  make_work_dir(job.work_dir);
  const std::shared_ptr<const Model> model = load_for_reduction(job, log);
  const double started = seconds_now();
  ReduceResult found = reduce(*model, options, log);
  if (!found.bad) {
    if (found.interrupted) {
      log.warning(kReduce, "Interrupted before a model failed: no model was written.");
      return found;
    }
    throw Error(
        kNothingToReduce,
        std::string("The check passes on the model itself") +
            (options.mode == ReduceMode::kAuto ? ", even with all its tensors as outputs" : "") +
            ", so there is nothing to reduce; no model was written",
        "Run the check by hand on the model. Does it read the written file? Does its exit code "
        "report the failure?");
  }
  // They refer to the model.
  found.inputs = [model, values = std::move(found.inputs)](const Metadata& inputs, int64_t sample,
                                                           Logger& to) {
    return values(inputs, sample, to);
  };
  save_found(job, found, *model, log);
  found.summary = reduction_summary(
      *model, *found.bad,
      {.checks = found.checks, .cached = found.cached, .seconds = seconds_now() - started});
  if (!found.interrupted) reproduce(job, found, found.summary, log);
  // The classic modes log what the original does.
  if (options.mode == ReduceMode::kAuto || options.jobs > 1 || options.journal) {
    const std::string folder = found.interrupted ? "" : reproduction_of(job).typed;
    log.finish(kReduce, found.summary + (folder.empty() ? "" : "; to see it fail: " + folder));
  }
  return found;
}

}  // namespace polygraphy
